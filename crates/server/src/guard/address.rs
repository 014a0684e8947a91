//! The address of a client. `X-Forwarded-For` counts only if it comes from a proxy that the organiser trusts, because
//! every client can send the header.

use std::net::IpAddr;
use std::str::FromStr;

use axum::http::HeaderMap;
use ipnet::{IpNet, Ipv6Net};

/// An address or a network (`10.0.0.0/8`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network(IpNet);

/// A text that is neither an address nor a network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is neither an address nor a network")]
pub struct NetworkError(String);

impl FromStr for Network {
    type Err = NetworkError;

    fn from_str(text: &str) -> Result<Self, NetworkError> {
        let address = text.parse::<IpAddr>().map(|address| IpNet::from(address.to_canonical()));
        let network = address.or_else(|_| text.parse::<IpNet>());
        network.map(Network).map_err(|_| NetworkError(text.to_owned()))
    }
}

impl Network {
    /// Whether the address belongs to the network.
    pub fn has(&self, address: IpAddr) -> bool {
        self.0.contains(&address.to_canonical())
    }
}

/// The address a request comes from: the peer, or, if that is a trusted proxy, the last address in `X-Forwarded-For`
/// that is not a trusted proxy. The entries before it were written by the client.
pub fn client(peer: IpAddr, headers: &HeaderMap, trusted: &[Network]) -> IpAddr {
    let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.has(address));
    let mut known = peer.to_canonical();
    let forwarded: Vec<&str> = headers
        .get_all("x-forwarded-for")
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .collect();
    for part in forwarded.iter().rev() {
        if !is_trusted(known) {
            break;
        }
        match part.trim().parse::<IpAddr>() {
            Ok(address) => known = address.to_canonical(),
            Err(_) => break,
        }
    }
    known
}

/// The address under which a client is counted: its own, or for IPv6 the first address of its network of 64 bits, since
/// a single host owns such a network.
pub fn counted(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.into(),
        // 64 is a valid length of a prefix.
        IpAddr::V6(address) => Ipv6Net::new(address, 64).map_or(address, |network| network.network()).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client_of(peer: &str, forwarded: &[&str], trusted: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append("x-forwarded-for", value.parse().unwrap());
        }
        let trusted: Vec<Network> = trusted.iter().map(|text| text.parse().unwrap()).collect();
        client(peer.parse().unwrap(), &headers, &trusted).to_string()
    }

    #[test]
    fn strangers_cannot_choose_their_address() {
        assert_eq!(client_of("203.0.113.9", &["1.2.3.4"], &[]), "203.0.113.9");
        assert_eq!(client_of("203.0.113.9", &["1.2.3.4"], &["127.0.0.1"]), "203.0.113.9");
        assert_eq!(client_of("127.0.0.1", &["6.6.6.6, 1.2.3.4"], &["127.0.0.1"]), "1.2.3.4");
        assert_eq!(
            client_of("127.0.0.1", &["6.6.6.6", "1.2.3.4, 10.1.1.1"], &["127.0.0.1", "10.0.0.0/8"]),
            "1.2.3.4"
        );
        assert_eq!(client_of("::ffff:127.0.0.1", &["1.2.3.4"], &["127.0.0.1"]), "1.2.3.4");
        assert_eq!(client_of("127.0.0.1", &["1.2.3.4, nonsense"], &["127.0.0.1"]), "127.0.0.1");
        assert_eq!(client_of("127.0.0.1", &[], &["127.0.0.1"]), "127.0.0.1");
    }

    #[test]
    fn networks_of_proxies_are_matched() {
        let net = |text: &str| text.parse::<Network>();
        assert!(net("10.0.0.0/8").unwrap().has("10.9.8.7".parse().unwrap()));
        assert!(!net("10.0.0.0/8").unwrap().has("11.0.0.0".parse().unwrap()));
        assert!(net("0.0.0.0/0").unwrap().has("8.8.8.8".parse().unwrap()));
        assert!(net("2001:db8::/32").unwrap().has("2001:db8:1::1".parse().unwrap()));
        assert!(!net("2001:db8::/32").unwrap().has("10.0.0.1".parse().unwrap()));
        for bad in ["", "10.0.0.0/33", "10.0.0/8", "a", "::1/129", "10.0.0.0/-1"] {
            assert!(net(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn addresses_of_one_host_share_a_key() {
        let counted = |text: &str| super::counted(text.parse().unwrap()).to_string();
        assert_eq!(counted("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(counted("2001:db8:1:2:ffff::"), "2001:db8:1:2::");
        assert_eq!(counted("2001:db8:1:3::1"), "2001:db8:1:3::");
        assert_eq!(counted("::ffff:1.2.3.4"), "1.2.3.4");
    }
}
