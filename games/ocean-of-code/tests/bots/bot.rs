// Ocean of Code: keeps to narrow water, charges torpedoes and fires them three cells ahead.
use std::io::{self, BufRead, Write};

fn numbers(line: &str) -> Vec<i32> {
    line.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

fn play() -> Option<()> {
    let mut lines = io::stdin().lock().lines();
    let mut next = || lines.next()?.ok();
    let mut out = io::stdout();
    let &[w, h, me] = &numbers(&next()?)[..] else { return None };
    let wide = w + 2;
    let step = [-wide, 1, wide, -1];
    // The sea with a frame of land around it, row after row.
    let mut water = vec![false; (wide * (h + 2)) as usize];
    for y in 0..h {
        for (x, cell) in next()?.bytes().enumerate() {
            water[(y + 1) as usize * wide as usize + x + 1] = cell == b'.';
        }
    }
    let wet = |cell: i32| water[cell as usize];
    let from = me * (w * h / 2);
    let start = (from..from + w * h).map(|i| (i % (w * h) % w, i % (w * h) / w));
    let (x, y) = start.clone().find(|&(x, y)| wet((y + 1) * wide + x + 1))?;
    writeln!(out, "{x} {y}").ok()?;
    let mut been = vec![false; water.len()];
    for turn in 0.. {
        let state = numbers(&next()?);
        let (_sonar, _heard) = (next()?, next()?);
        let &[x, y, _, _, torpedo, ..] = &state[..] else { return None };
        let here = (y + 1) * wide + x + 1;
        been[here as usize] = true;
        let open = |cell: i32| wet(cell) && !been[cell as usize];
        // Few ways on: take it now. None at all: only if there is nothing else.
        let exits = |cell: i32| match step.iter().filter(|&&s| open(cell + s)).count() {
            0 => 8,
            some => some,
        };
        let ways = (0..4).filter(|&d| open(here + step[d]));
        let best = ways.min_by_key(|&d| exits(here + step[d]));
        let shots = (0..4).map(|k| (turn + k) % 4);
        let clear = |d: usize| (1..4).all(|i| wet(here + i * step[d]));
        let mut answer = String::new();
        if let Some(d) = shots.filter(|_| torpedo == 0).find(|&d| clear(d)) {
            answer = format!("TORPEDO {} {}|", x + [0, 3, 0, -3][d], y + [-3, 0, 3, 0][d]);
        }
        match best {
            Some(d) => answer += &format!("MOVE {} TORPEDO", ["N", "E", "S", "W"][d]),
            None => answer += "SURFACE",
        }
        if best.is_none() {
            been.fill(false);
        }
        writeln!(out, "{answer}").ok()?;
    }
    Some(())
}

fn main() {
    play();
}
