// Back Track: joins towns that want each other, the nearest first, and washes away where the foe has more tracks.
use std::io::{self, BufRead, Write};

fn play() -> Option<()> {
    let mut lines = io::stdin().lock().lines();
    let mut next = || lines.next()?.ok();
    let me: i32 = next()?.trim().parse().ok()?;
    let w: usize = next()?.trim().parse().ok()?;
    let h: usize = next()?.trim().parse().ok()?;
    let mut region: Vec<usize> = Vec::new();
    for _ in 0..w * h {
        region.push(next()?.split(' ').next()?.parse().ok()?);
    }
    let count: usize = next()?.trim().parse().ok()?;
    let mut towns: Vec<(usize, usize)> = Vec::new();
    let mut wanted = Vec::new();
    for from in 0..count {
        let line = next()?;
        let words: Vec<&str> = line.split_whitespace().collect();
        towns.push((words.get(1)?.parse().ok()?, words.get(2)?.parse().ok()?));
        wanted.extend(words.get(3)?.split(',').filter_map(|to| Some((from, to.parse::<usize>().ok()?))));
    }
    let length = |(a, b): (usize, usize)| {
        let ((ax, ay), (bx, by)) = (towns[a], towns[b]);
        ax.abs_diff(bx) + ay.abs_diff(by)
    };
    wanted.sort_by_key(|&wish| (length(wish), wish));
    let mut tries = vec![0; wanted.len()];
    for turn in 0.. {
        let _scores = (next()?, next()?);
        let mut more = vec![0; region.iter().max()? + 1]; // tracks the foe has more than we, by region
        let mut links = Vec::new();
        for &id in &region {
            let line = next()?;
            let mut words = line.split_whitespace();
            let owner: i32 = words.next()?.parse().ok()?;
            if owner == 0 || owner == 1 {
                more[id] += if owner == me { -1 } else { 1 };
            }
            links.push(words.nth(2)?.to_owned());
        }
        let mut answer = Vec::new();
        // The connections of a town are on the line of its cell.
        let joined = |(a, b): (usize, usize)| {
            links[towns[a].1 * w + towns[a].0].split(',').any(|link| link == format!("{a}-{b}"))
        };
        if let Some(i) = (0..wanted.len()).find(|&i| tries[i] < 15 && !joined(wanted[i])) {
            tries[i] += 1;
            let (from, to) = wanted[i];
            // The two players meet half way.
            let ((ax, ay), (bx, by)) = if me == 0 { (towns[from], towns[to]) } else { (towns[to], towns[from]) };
            answer.push(format!("AUTOPLACE {ax} {ay} {bx} {by}"));
        }
        let most = *more.iter().max()?;
        if turn % 2 == 1 && most > 0 {
            answer.push(format!("DISRUPT {}", more.iter().position(|&tracks| tracks == most)?));
        }
        let answer = if answer.is_empty() { "WAIT".to_owned() } else { answer.join(";") };
        writeln!(io::stdout(), "{answer}").ok()?;
    }
    Some(())
}

fn main() {
    play();
}
