//! `agon statement`

use crate::Failure;
use crate::args::StatementArgs;
use crate::output::print;

pub(crate) fn run(args: &StatementArgs) -> Result<(), Failure> {
    let (game, selected) = args.game.resolve()?;
    print(&game.statement(selected, args.lang.into())?)
}
