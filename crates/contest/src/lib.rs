//! A contest: leagues, who plays whom, building and playing submissions, promotion.
