//! Connections: accepting them, how long they may take, and their end.

use crate::error::Error;
use crate::options::{Limits, Options};
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::future::Future;
use std::net::SocketAddr;
use std::path::Path;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_io_timeout::TimeoutStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// Bytes of the head of a request.
const HEAD: usize = 64 << 10;

/// Header lines of a request.
const HEADERS: usize = 100;

/// How long it is waited after the system had no room for a connection.
const PAUSE: Duration = Duration::from_millis(50);

/// Opens the port.
pub(crate) async fn bind(options: &Options) -> Result<(TcpListener, SocketAddr), Error> {
    let address = options.listen;
    if options.keys.is_none() && !address.ip().is_loopback() {
        return Err(Error::Open(address));
    }
    let failed = |source| Error::Listen { address, source };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let bound = listener.local_addr().map_err(failed)?;
    Ok((listener, bound))
}

/// What speaks TLS, if that is asked for.
pub(crate) fn tls(options: &Options) -> Result<Option<TlsAcceptor>, Error> {
    let Some((certificate, key)) = &options.tls else {
        return Ok(None);
    };
    fn failed(path: &Path, why: impl std::fmt::Display) -> Error {
        Error::Tls {
            path: path.to_owned(),
            why: why.to_string(),
        }
    }
    let chain: Vec<_> = CertificateDer::pem_file_iter(certificate)
        .and_then(Iterator::collect)
        .map_err(|error| failed(certificate, error))?;
    if chain.is_empty() {
        return Err(failed(certificate, "it has no certificate in PEM"));
    }
    let private = PrivateKeyDer::from_pem_file(key).map_err(|error| failed(key, error))?;
    let mut config = ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(chain, private)
        .map_err(|error| failed(certificate, error))?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Some(TlsAcceptor::from(Arc::new(config))))
}

/// Serves connections until `end`, and then finishes the requests that were accepted. `open` is
/// told how many more connections are open.
pub(crate) async fn serve(
    limits: &Limits,
    open: impl Fn(i64) + Clone + Send + 'static,
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    router: Router,
    end: impl Future<Output = ()>,
) {
    let graceful = GracefulShutdown::new();
    let limits = Arc::new(limits.clone());
    let connections = Arc::new(Semaphore::new(limits.connections));
    let mut end = pin!(end);
    loop {
        let accepted = async {
            let permit = Arc::clone(&connections).acquire_owned().await.ok();
            listener.accept().await.map(|(stream, _)| (stream, permit))
        };
        let accepted = tokio::select! {
            () = &mut end => break,
            accepted = accepted => accepted,
        };
        let (stream, permit) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!(%error, "a connection was not accepted");
                tokio::time::sleep(PAUSE).await;
                continue;
            }
        };
        let (limits, open, router) = (Arc::clone(&limits), open.clone(), router.clone());
        let (tls, watcher) = (tls.clone(), graceful.watcher());
        tokio::spawn(async move {
            let _permit = permit;
            open(1);
            connection(&limits, stream, tls, router, watcher).await;
            open(-1);
        });
    }
    drop(listener);
    // As long as a request may take to arrive and to be answered.
    let most = limits.time * 3;
    if timeout(most, graceful.shutdown()).await.is_err() {
        tracing::warn!("some requests were not finished in time");
    }
}

async fn connection(
    limits: &Limits,
    stream: TcpStream,
    tls: Option<TlsAcceptor>,
    router: Router,
    watcher: hyper_util::server::graceful::Watcher,
) {
    // Without it small answers may wait for the client's next packet.
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    // Who does not read the answer does not keep it in memory for ever.
    stream.set_write_timeout(Some(limits.time));
    let stream = Box::pin(stream);
    match tls {
        None => talk(limits, stream, router, watcher).await,
        Some(tls) => {
            if let Ok(Ok(stream)) = timeout(limits.idle, tls.accept(stream)).await {
                talk(limits, stream, router, watcher).await;
            }
        }
    }
}

async fn talk(
    limits: &Limits,
    stream: impl AsyncRead + AsyncWrite + Unpin + 'static,
    router: Router,
    watcher: hyper_util::server::graceful::Watcher,
) {
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.idle)
        .max_headers(HEADERS)
        .max_buf_size(HEAD)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    if let Err(error) = watcher.watch(connection).await {
        tracing::debug!(%error, "a connection was broken off");
    }
}
