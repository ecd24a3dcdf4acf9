//! Pages as a real browser shows them.
//!
//! What a server sends is often not what a person sees: pages redirect, fill
//! frames, and make their text by script. [`render`](mod@render) opens pages
//! in a Chromium, waits until nothing more is to be expected, and writes down
//! what is there as one HTML document. [`browser`] starts that Chromium and
//! talks to it.
//!
//! ```no_run
//! use std::ops::ControlFlow;
//! use twinsift_render::render::{RenderInput, RenderOptions, Renderer};
//!
//! # fn main() -> Result<(), twinsift_render::WebError> {
//! let address: url::Url = "https://example.org/".parse().expect("an address");
//! let mut options = RenderOptions::default();
//! options.hosts.allow_host_of(&address);
//! let renderer = Renderer::start(options)?;
//! renderer.render([RenderInput::at(address)].into_iter(), |done| {
//!     println!("{} {:?}", done.page.id, done.rendering.title);
//!     ControlFlow::Continue(())
//! })?;
//! # Ok(())
//! # }
//! ```

pub mod browser;
mod error;
pub mod render;

pub use error::WebError;
