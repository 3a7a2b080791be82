//! The application that connects by itself, in place of a page that is opened.

use super::network::Ready;
use super::wiring::unnamed;
use super::{HouseOf, Serve};
use crate::Trouble;
use crate::running::chance;
use std::pin::Pin;
use std::sync::Arc;
use tokio::sync::mpsc;
use uiap_server::doors::app::{Lobby, Place};
use uiap_server::session::Farewell;
use uiap_web::app::{AppSurface, Brief, Ending, Seat};

/// The place of the page, as a door knows it.
struct ThePage(Arc<Seat>);

impl Place for ThePage {
    fn enter(
        &self,
        inbound: mpsc::Receiver<String>,
        outbound: mpsc::Sender<String>,
    ) -> Pin<Box<dyn Future<Output = Farewell> + Send>> {
        let talk = Arc::clone(&self.0).enter(inbound, outbound);
        Box::pin(async { farewell(talk.await) })
    }
}

fn farewell(ending: Ending) -> Farewell {
    match ending {
        Ending::Left | Ending::Terminated => Farewell::Normal,
        Ending::Unknown | Ending::TooMuch => Farewell::Rules,
        Ending::Taken | Ending::Superseded => Farewell::Superseded,
        Ending::Unsound => Farewell::Invalid,
    }
}

impl Serve {
    /// A house around the application whose page will connect, and the doors with one more for that page.
    pub(super) fn application(
        &self,
        network: Option<Ready>,
    ) -> Result<(HouseOf<AppSurface>, Option<Ready>), Trouble> {
        let known = self.known(self.network.application().unwrap_or_default())?;
        let rules = self.network.pages(chance)?;
        let seat = Seat::new(known.app(), chance);
        let lobby = Lobby::new(rules, Box::new(ThePage(Arc::clone(&seat))));
        let sdk = known.bundle.as_ref().and_then(|bundle| bundle.app.sdk.as_ref());
        let brief = Brief {
            annotation_prefix: sdk
                .and_then(|sdk| sdk.annotation_prefix.as_ref())
                .map(|prefix| prefix.as_str().to_owned()),
            bindings: known.bundle.as_ref().and_then(|bundle| bundle.bindings.clone()),
        };
        let capabilities = AppSurface::capabilities().map_err(unnamed)?;
        let house = self.house(AppSurface::new(seat, brief), known, capabilities)?;
        Ok((house, network.map(|ready| ready.with_pages(lobby))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ending_has_its_code() {
        let codes = [Ending::Left, Ending::TooMuch, Ending::Unknown, Ending::Taken, Ending::Unsound];
        assert_eq!(codes.map(|ending| farewell(ending).code()), [1_000, 1_008, 1_008, 4_409, 4_400]);
    }
}
