// Hypersonic: bombs boxes it stands beside when there is a way out, and never waits in the reach of a bomb.
use std::collections::{BTreeSet, VecDeque};
use std::io::{self, BufRead, Write};

const WIDE: usize = 15; // a row with a frame of wall on both sides

fn around(cell: usize) -> [usize; 4] {
    [cell - 1, cell + 1, cell - WIDE, cell + WIDE]
}

fn blast(grid: &[u8], cell: usize, range: usize, hot: &mut BTreeSet<usize>) {
    hot.insert(cell);
    for step in around(cell).map(|n| n.wrapping_sub(cell)) {
        let line = (1..range).map(|i| cell.wrapping_add(step.wrapping_mul(i)));
        hot.extend(line.take_while(|&n| grid[n] == b'.'));
    }
}

/// The first step to the nearest goal.
fn find(here: usize, free: impl Fn(usize) -> bool, goal: impl Fn(usize) -> bool) -> Option<usize> {
    let mut first = [0; WIDE * 13];
    let mut queue = VecDeque::from([here]);
    first[here] = here;
    while let Some(cell) = queue.pop_front() {
        if cell != here && goal(cell) {
            return Some(first[cell]);
        }
        for n in around(cell) {
            if free(n) && first[n] == 0 {
                first[n] = if cell == here { n } else { first[cell] };
                queue.push_back(n);
            }
        }
    }
    None
}

fn play() -> Option<()> {
    let mut lines = io::stdin().lock().lines();
    let mut next = || lines.next()?.ok();
    let numbers = |line: String| line.split_whitespace().map_while(|word| word.parse().ok()).collect::<Vec<usize>>();
    let &[w, h, me] = &numbers(next()?)[..] else { return None };
    loop {
        let mut grid = vec![b'X'; WIDE * 13];
        for y in 1..=h {
            grid[y * WIDE + 1..][..w].copy_from_slice(next()?.as_bytes().get(..w)?);
        }
        let (mut here, mut left, mut range) = (WIDE + 1, 0, 0);
        let (mut bombs, mut hot) = (BTreeSet::new(), BTreeSet::new());
        for _ in 0..*numbers(next()?).first()? {
            let &[kind, owner, x, y, a, b] = &numbers(next()?)[..] else { return None };
            let cell = (y + 1) * WIDE + x + 1;
            if kind == 0 && owner == me {
                (here, left, range) = (cell, a, b);
            } else if kind == 1 {
                bombs.insert(cell);
                blast(&grid, cell, b, &mut hot);
            }
        }
        let beside_box = |cell| around(cell).iter().any(|&n| matches!(grid[n], b'0'..=b'2'));
        let calm = !hot.contains(&here) && left > 0;
        if calm && beside_box(here) {
            blast(&grid, here, range, &mut hot);
        }
        let free = |cell: usize| grid[cell] == b'.' && !bombs.contains(&cell);
        let to = if hot.contains(&here) {
            find(here, free, |cell| !hot.contains(&cell))
        } else {
            find(here, |cell| free(cell) && !hot.contains(&cell), beside_box).filter(|_| calm)
        };
        let verb = if calm && hot.contains(&here) && to.is_some() { "BOMB" } else { "MOVE" };
        let to = to.unwrap_or(here);
        writeln!(io::stdout(), "{verb} {} {}", to % WIDE - 1, to / WIDE - 1).ok()?;
    }
}

fn main() {
    play();
}
