// Ocean of Code: a starter bot.
//
// It stays in the larger part of the sea, keeps a list of the cells the enemy may be in, and fires where that list is dense.
// The whole game in three steps: read (what the statement calls the protocol), decide (your ideas go there), print one line.
//
// Time: 1000 ms for the first answer, the start of the program included, and 50 ms for every other one.
// Your answers go to the standard output; for debugging, write to Console.Error, the standard error output.

using System;
using System.Collections.Generic;
using System.Linq;

struct Cell
{
    public readonly int X, Y;

    public Cell(int x, int y)
    {
        X = x;
        Y = y;
    }

    public Cell Step(char direction)
    {
        switch (direction)
        {
            case 'N': return new Cell(X, Y - 1);
            case 'E': return new Cell(X + 1, Y);
            case 'S': return new Cell(X, Y + 1);
            default: return new Cell(X - 1, Y);
        }
    }

    /// 1 to 9, row by row.
    public int Sector => X / 5 + Y / 5 * 3 + 1;

    // Sets of cells are faster with this.
    public override int GetHashCode() => Y * 1000 + X;
    public override bool Equals(object other) => other is Cell cell && cell.X == X && cell.Y == Y;
}

/// The map: it never changes.
class Sea
{
    public int Width, Height, MyId;
    public List<string> Rows = new List<string>();
    public List<Cell> Cells = new List<Cell>(); // All water, row by row.

    public bool IsWater(Cell cell) =>
        cell.X >= 0 && cell.X < Width && cell.Y >= 0 && cell.Y < Height && Rows[cell.Y][cell.X] == '.';
}

/// What you are told before each answer. A cooldown counts the charges that are missing: 0 is ready, -1 is not in this league.
class Turn
{
    public Cell Cell;
    public int MyLife, OppLife;
    public int TorpedoCooldown, SonarCooldown, SilenceCooldown, MineCooldown;
    public string SonarResult; // Y or N after your own SONAR, else NA.
    public string[] OppOrders; // What the enemy did, as far as it can be heard: "MOVE N", "TORPEDO 3 5".
}

class Bot
{
    const string Directions = "NESW";
    const int TorpedoRange = 4;
    const int SilenceSteps = 4;
    const int Anywhere = 1000; // More steps than there are.
    const double FireAt = 0.5; // Fire when the damage to expect is at least this.

    // ---- Reading ----

    static string ReadLine()
    {
        string line = Console.ReadLine();
        if (line == null) Environment.Exit(0); // The input has ended: the game is over.
        return line;
    }

    static int[] ReadNumbers() => ReadLine().Split(' ').Select(int.Parse).ToArray();

    static Sea ReadSea()
    {
        int[] n = ReadNumbers();
        var sea = new Sea { Width = n[0], Height = n[1], MyId = n[2] };
        for (int y = 0; y < sea.Height; y++) sea.Rows.Add(ReadLine());
        for (int y = 0; y < sea.Height; y++)
            for (int x = 0; x < sea.Width; x++)
                if (sea.IsWater(new Cell(x, y))) sea.Cells.Add(new Cell(x, y));
        return sea;
    }

    static Turn ReadTurn()
    {
        int[] n = ReadNumbers();
        string sonarResult = ReadLine();
        string heard = ReadLine();
        return new Turn
        {
            Cell = new Cell(n[0], n[1]),
            MyLife = n[2],
            OppLife = n[3],
            TorpedoCooldown = n[4],
            SonarCooldown = n[5],
            SilenceCooldown = n[6],
            MineCooldown = n[7],
            SonarResult = sonarResult,
            OppOrders = heard == "NA" ? new string[0] : heard.Split('|'),
        };
    }

    // ---- Thinking ----

    readonly Sea sea;
    HashSet<Cell> trail = new HashSet<Cell>(); // Cells that may not be entered again until we surface.
    HashSet<Cell> suspects; // Cells the enemy may be in.
    int life = 0; // Our lives, as far as we know why.

    Bot(Sea sea)
    {
        this.sea = sea;
        suspects = new HashSet<Cell>(sea.Cells);
    }

    /// Steps from `start` to each water cell that can be reached in `limit` steps without entering a blocked one.
    Dictionary<Cell, int> Distances(Cell start, HashSet<Cell> blocked, int limit)
    {
        var found = new Dictionary<Cell, int> { { start, 0 } };
        var queue = new Queue<Cell>();
        queue.Enqueue(start);
        while (queue.Count > 0)
        {
            Cell cell = queue.Dequeue();
            if (found[cell] == limit) continue;
            foreach (char direction in Directions)
            {
                Cell near = cell.Step(direction);
                if (sea.IsWater(near) && !blocked.Contains(near) && !found.ContainsKey(near))
                {
                    found[near] = found[cell] + 1;
                    queue.Enqueue(near);
                }
            }
        }
        return found;
    }

    /// A cell of the largest sea, as near to the middle as possible: in a corner there is little room to hide.
    Cell ChooseStart()
    {
        var largest = new Dictionary<Cell, int>();
        var seen = new HashSet<Cell>();
        foreach (Cell cell in sea.Cells)
        {
            if (seen.Contains(cell)) continue;
            var region = Distances(cell, new HashSet<Cell>(), Anywhere);
            seen.UnionWith(region.Keys);
            if (region.Count > largest.Count) largest = region;
        }
        return sea.Cells
            .Where(largest.ContainsKey)
            .OrderBy(cell => Math.Abs(cell.X - sea.Width / 2) + Math.Abs(cell.Y - sea.Height / 2))
            .First();
    }

    /// Keeps those suspects that fit what the enemy was heard to do.
    void Listen(string order)
    {
        string[] words = order.Split(' ');
        IEnumerable<Cell> fitting = suspects;
        switch (words[0])
        {
            case "MOVE":
                fitting = suspects.Select(cell => cell.Step(words[1][0])).Where(sea.IsWater);
                break;
            case "SURFACE":
                int sector = int.Parse(words[1]);
                fitting = suspects.Where(cell => cell.Sector == sector);
                break;
            case "TORPEDO":
                int x = int.Parse(words[1]), y = int.Parse(words[2]);
                fitting = suspects.Where(cell => Math.Abs(cell.X - x) + Math.Abs(cell.Y - y) <= TorpedoRange);
                break;
            case "SILENCE":
                var spread = new List<Cell>(suspects);
                foreach (Cell start in suspects)
                {
                    foreach (char direction in Directions)
                    {
                        Cell cell = start.Step(direction);
                        for (int i = 0; i < SilenceSteps && sea.IsWater(cell); i++)
                        {
                            spread.Add(cell);
                            cell = cell.Step(direction);
                        }
                    }
                }
                fitting = spread;
                break;
        }
        suspects = new HashSet<Cell>(fitting);
        // Idea: MINE and TRIGGER tell something as well, and so do the lives that our own shots cost the enemy.
    }

    /// The direction with the most room behind it; of equal ones the one with the fewest ways on, which follows the shores and so
    /// keeps the sea in one piece. null if every way is closed.
    char? BestDirection(Cell here)
    {
        char? best = null;
        int bestRoom = 0, bestWays = 0;
        foreach (char direction in Directions)
        {
            Cell cell = here.Step(direction);
            if (!sea.IsWater(cell) || trail.Contains(cell)) continue;
            int room = Distances(cell, trail, Anywhere).Count;
            int ways = Distances(cell, trail, 1).Count - 1;
            if (best == null || room > bestRoom || (room == bestRoom && ways < bestWays))
            {
                best = direction;
                bestRoom = room;
                bestWays = ways;
            }
        }
        return best;
    }

    /// The cell in range with the highest damage to expect, and that damage.
    Cell BestTarget(Cell here, out double bestDamage)
    {
        Cell best = here;
        bestDamage = 0;
        var inRange = Distances(here, new HashSet<Cell>(), TorpedoRange);
        foreach (Cell target in sea.Cells)
        {
            // A blast next to us would hit us, too.
            bool near = Math.Abs(target.X - here.X) <= 1 && Math.Abs(target.Y - here.Y) <= 1;
            if (near || !inRange.ContainsKey(target)) continue;
            int lives = suspects.Contains(target) ? 1 : 0; // 2 in the middle, 1 around it.
            for (int y = target.Y - 1; y <= target.Y + 1; y++)
                for (int x = target.X - 1; x <= target.X + 1; x++)
                    if (suspects.Contains(new Cell(x, y))) lives++;
            double damage = (double)lives / suspects.Count;
            if (damage > bestDamage)
            {
                best = target;
                bestDamage = damage;
            }
        }
        return best;
    }

    /// Your ideas go here. Returns the actions of this turn; each word may be there once only.
    List<string> Decide(Turn turn)
    {
        var actions = new List<string>();
        Cell here = turn.Cell;
        trail.Add(here);
        bool wasHit = turn.MyLife < life;
        life = turn.MyLife;

        foreach (string order in turn.OppOrders) Listen(order);
        if (suspects.Count == 0) suspects = new HashSet<Cell>(sea.Cells); // We have misunderstood something: begin again.

        // Move; where no way is left, surface first, which costs a life and wipes out the trail.
        char? direction = BestDirection(here);
        if (direction == null)
        {
            actions.Add("SURFACE");
            trail = new HashSet<Cell> { here };
            life--;
            direction = BestDirection(here);
        }
        if (direction != null)
        {
            string power = turn.TorpedoCooldown == 0 && turn.SilenceCooldown > 0 ? "SILENCE" : "TORPEDO";
            actions.Add($"MOVE {direction} {power}");
            if (power == "TORPEDO" && turn.TorpedoCooldown > 0) turn.TorpedoCooldown--;
            here = here.Step(direction.Value);
            trail.Add(here);
        }

        // Fire, if the enemy is likely enough to be hit.
        double damage;
        Cell target = BestTarget(here, out damage);
        if (turn.TorpedoCooldown == 0 && damage >= FireAt) actions.Add($"TORPEDO {target.X} {target.Y}");

        // Somebody knows where we are: slip away unheard.
        char? escape = BestDirection(here);
        if (wasHit && turn.SilenceCooldown == 0 && escape != null) actions.Add($"SILENCE {escape} 1");

        Console.Error.WriteLine(
            $"at ({turn.Cell.X}, {turn.Cell.Y}), {suspects.Count} suspects, damage to expect {damage:F2}");
        // Idea: SONAR halves the suspects, MINE and TRIGGER make whole regions dangerous.
        return actions;
    }

    static void Main()
    {
        var bot = new Bot(ReadSea());
        Cell start = bot.ChooseStart();
        Console.WriteLine($"{start.X} {start.Y}");
        while (true)
        {
            List<string> actions = bot.Decide(ReadTurn());
            Console.WriteLine(actions.Count == 0 ? "SURFACE" : string.Join("|", actions));
        }
    }
}
