//! `twinsift serve`: collections over HTTP.

use super::print_data;
use crate::args::{KeygenArgs, LogChoice, RightChoice, ServeAction, ServeArgs};
use crate::exit::bad_input;
use crate::say::say;
use std::time::Duration;
use twinsift_server::{
    Keys, LogFormat, Options, Right, Server, is_collection_name, log_to_stderr, make_key,
};

pub fn run(args: ServeArgs) -> anyhow::Result<()> {
    if let Some(ServeAction::Keygen(args)) = &args.action {
        return keygen(args);
    }
    let Some(folder) = &args.folder else {
        return Err(bad_input("name a folder of collections"));
    };
    log_to_stderr(
        match args.log {
            LogChoice::Text => LogFormat::Text,
            LogChoice::Json => LogFormat::Json,
        },
        args.quiet,
    );
    let mut options = Options::default();
    options.listen = args.listen;
    options.keys = args.keys.as_deref().map(Keys::open).transpose()?;
    options.tls = args.tls_cert.clone().zip(args.tls_key.clone());
    options.limits.body = usize::try_from(args.max_body).unwrap_or(usize::MAX);
    options.limits.bodies = options.limits.bodies.max(options.limits.body);
    options.limits.time = Duration::from_secs(args.timeout);
    let scheme = match options.tls {
        Some(_) => "https",
        None => "http",
    };
    let server = Server::open(folder, options)?;
    // Programs that start a service wait for this line, whatever the log is.
    say!("listening on {scheme}://{}", server.address());
    server.run_until_signal();
    Ok(())
}

/// Prints a key, and the line by which the service knows it.
fn keygen(args: &KeygenArgs) -> anyhow::Result<()> {
    let KeygenArgs {
        name, collections, ..
    } = args;
    if name.is_empty() || name.starts_with('#') || name.contains(char::is_whitespace) {
        return Err(bad_input(
            "--name is one word: it stands at the beginning of a line",
        ));
    }
    if let Some(other) = collections.iter().find(|one| !is_collection_name(one)) {
        return Err(bad_input(format!(
            "--collection {other} is no name of a collection: these have up to 64 of a-z, 0-9, dot, underscore and hyphen"
        )));
    }
    let right = match args.right {
        RightChoice::Read => Right::Read,
        RightChoice::Write => Right::Write,
        RightChoice::Admin => Right::Admin,
    };
    let (key, line) = make_key(name, right, collections)?;
    say!("the key, which is shown this once, and below it the line for the key file:");
    print_data(&format!("{key}\n{line}\n"))?;
    Ok(())
}
