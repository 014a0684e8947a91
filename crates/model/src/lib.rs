//! The types of the arena: ids, leagues, settings of a contest, promotion.
