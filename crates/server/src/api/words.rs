//! What the site says of the games beyond their own facts.

/// What a game is, in French.
pub(crate) fn about(game: &str) -> Option<&'static str> {
    Some(match game {
        "back-track" => {
            "Tracez des lignes de chemin de fer entre les villes, marquez avec chaque voie d'une liaison, et effacez celles de l'adversaire."
        }
        "hypersonic" => {
            "Faites sauter plus de caisses que les autres, sans rester sur le chemin d'une bombe."
        }
        "ocean-of-code" => "Deux sous-marins se traquent sans savoir où est l'autre.",
        _ => return None,
    })
}

/// Whether there is a side quest with a board of its own.
pub(crate) fn has_side_quest(game: &str) -> bool {
    game == "back-track"
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_game_is_told_in_french() {
        for game in catalog::games() {
            assert!(super::about(game.info().name).is_some(), "{}", game.info().name);
        }
    }
}
