// Hypersonic: a starter bot.
//
// In each round it tries the ten things it can do (lay a bomb or not; stay or take one of four steps), drops those after which it
// could not survive the bombs that are in play, and takes the one after which it can bomb its next box soonest.
// The whole game in three steps: read (what the statement calls the protocol), decide (your ideas go there), print one line.
//
// Time: 1000 ms for the first answer, the start of the program included, and 100 ms for every other one.
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

    public static Cell operator +(Cell cell, Cell step) => new Cell(cell.X + step.X, cell.Y + step.Y);

    // Sets of cells are faster with this.
    public override int GetHashCode() => Y * 1000 + X;
    public override bool Equals(object other) => other is Cell cell && cell.X == X && cell.Y == Y;
}

class Player
{
    public int Id;
    public Cell Cell;
    public int Bombs; // How many it can lay now.
    public int Range; // Of the bombs it lays; the cell of the bomb counts.
}

class Bomb
{
    public int Owner;
    public Cell Cell;
    public int Timer; // 1: it goes off in this round, before anybody moves.
    public int Range;
}

class Item
{
    public Cell Cell;
    public int Kind; // 1: extra range, 2: extra bomb.
}

/// What you are told before each answer.
class Round
{
    // '.' is floor, 'X' a wall, '0', '1', '2' boxes: empty, with extra range, with an extra bomb.
    public List<string> Rows = new List<string>();
    public List<Player> Players = new List<Player>();
    public List<Bomb> Bombs = new List<Bomb>();
    public List<Item> Items = new List<Item>();

    /// What is there; outside of the grid, wall.
    public char At(Cell cell)
    {
        bool inside = cell.Y >= 0 && cell.Y < Rows.Count && cell.X >= 0 && cell.X < Rows[cell.Y].Length;
        return inside ? Rows[cell.Y][cell.X] : 'X';
    }

    public bool IsBox(Cell cell) => At(cell) >= '0' && At(cell) <= '2';
}

/// What the bombs in play will do.
class Forecast
{
    public readonly Round Round;
    public readonly HashSet<Cell> Stops = new HashSet<Cell>(); // Bombs and items stop explosions.
    public readonly HashSet<Cell>[] Deadly; // Deadly[t]: who stands there after t steps from now is hit.
    public readonly Dictionary<Cell, int> BlockedUntil; // Cell of a bomb: so many steps from now nobody can enter it.
    public readonly HashSet<Cell> Doomed = new HashSet<Cell>(); // Boxes that will be gone.

    public Forecast(Round round, List<Bomb> bombs)
    {
        Round = round;
        foreach (Bomb bomb in bombs) Stops.Add(bomb.Cell);
        foreach (Item item in round.Items) Stops.Add(item.Cell);
        var blasts = bombs.Select(bomb => Blast(bomb.Cell, bomb.Range)).ToList();
        int[] timers = bombs.Select(bomb => bomb.Timer).ToArray();
        // A bomb that is hit goes off at the same moment: pass earlier timers on until nothing changes.
        for (bool changed = true; changed;)
        {
            changed = false;
            for (int i = 0; i < timers.Length; i++)
            {
                for (int j = 0; j < timers.Length; j++)
                {
                    if (timers[i] < timers[j] && blasts[i].Contains(bombs[j].Cell))
                    {
                        timers[j] = timers[i];
                        changed = true;
                    }
                }
            }
        }
        Deadly = new HashSet<Cell>[Bot.Horizon + 1];
        for (int t = 0; t < Deadly.Length; t++) Deadly[t] = new HashSet<Cell>();
        BlockedUntil = new Dictionary<Cell, int>();
        for (int i = 0; i < timers.Length; i++)
        {
            BlockedUntil[bombs[i].Cell] = timers[i];
            foreach (Cell cell in blasts[i])
            {
                // What counts is where you stand before the round in which the timer reaches 0.
                Deadly[timers[i] - 1].Add(cell);
                if (round.IsBox(cell)) Doomed.Add(cell);
            }
        }
    }

    /// The cells that a bomb would hit. A box, an item and another bomb stop it.
    public HashSet<Cell> Blast(Cell cell, int range)
    {
        var hit = new HashSet<Cell> { cell };
        foreach (Cell step in Bot.Steps.Skip(1))
        {
            Cell near = cell;
            for (int i = 1; i < range; i++)
            {
                near += step;
                if (Round.At(near) == 'X') break;
                hit.Add(near);
                if (Round.At(near) != '.' || Stops.Contains(near)) break;
            }
        }
        return hit;
    }

    /// How many boxes are among these cells, those left out that will be gone anyway.
    public int Boxes(HashSet<Cell> hit) => hit.Count(cell => Round.IsBox(cell) && !Doomed.Contains(cell));

    /// Whether somebody can walk into this cell with step number t.
    public bool IsOpen(Cell cell, int t)
    {
        int until;
        return Round.At(cell) == '.' && (!BlockedUntil.TryGetValue(cell, out until) || until < t);
    }
}

class Bot
{
    public static readonly Cell[] Steps =
        { new Cell(0, 0), new Cell(-1, 0), new Cell(1, 0), new Cell(0, -1), new Cell(0, 1) };
    public const int Fuse = 8; // Rounds from laying a bomb to its explosion.
    public const int Horizon = Fuse + 1; // So many rounds from now every bomb we know of has gone off.
    const double Patience = 0.9; // What a box is worth if it comes one round later.

    // ---- Reading ----

    static string ReadLine()
    {
        string line = Console.ReadLine();
        if (line == null) Environment.Exit(0); // The input has ended: the game is over, at least for us.
        return line;
    }

    static int[] ReadNumbers() => ReadLine().Split(' ').Select(int.Parse).ToArray();

    static Round ReadRound(int height)
    {
        var round = new Round();
        for (int y = 0; y < height; y++) round.Rows.Add(ReadLine());
        int entities = ReadNumbers()[0];
        for (int i = 0; i < entities; i++)
        {
            int[] n = ReadNumbers(); // entityType owner x y param1 param2
            var cell = new Cell(n[2], n[3]);
            if (n[0] == 0) round.Players.Add(new Player { Id = n[1], Cell = cell, Bombs = n[4], Range = n[5] });
            if (n[0] == 1) round.Bombs.Add(new Bomb { Owner = n[1], Cell = cell, Timer = n[4], Range = n[5] });
            if (n[0] == 2) round.Items.Add(new Item { Cell = cell, Kind = n[4] });
        }
        return round;
    }

    // ---- Thinking ----

    /// What a box is worth if it comes so many rounds later.
    static double Later(int rounds)
    {
        double worth = 1.0;
        for (int i = 0; i < rounds; i++) worth *= Patience;
        return worth;
    }

    /// The cells we can be in after the step `first` and then any others, with the earliest time; null if we cannot survive.
    static Dictionary<Cell, int> Reach(Forecast forecast, Cell here, Cell first)
    {
        var earliest = new Dictionary<Cell, int>();
        var layer = new HashSet<Cell> { here };
        for (int t = 1; t <= Horizon; t++)
        {
            var following = new HashSet<Cell>();
            foreach (Cell cell in layer)
            {
                foreach (Cell step in t == 1 ? new[] { first } : Steps)
                {
                    Cell near = cell + step;
                    if (!near.Equals(cell) && !forecast.IsOpen(near, t)) continue;
                    if (forecast.Deadly[t].Contains(near)) continue;
                    following.Add(near);
                    if (!earliest.ContainsKey(near)) earliest[near] = t;
                }
            }
            layer = following;
        }
        return layer.Count == 0 ? null : earliest;
    }

    /// How soon a box can be bombed from one of these cells: 1 for at once, less for each round later, 0 for never. `wait` rounds
    /// from now we can lay a bomb.
    static double BestAhead(Forecast forecast, Player me, Dictionary<Cell, int> cells, int wait)
    {
        double best = 0;
        foreach (var entry in cells)
        {
            Cell cell = entry.Key;
            int t = entry.Value;
            var hit = forecast.Blast(cell, me.Range);
            // Without a cell to hide in no bomb can be laid.
            bool hideout = cells.Keys.Any(other => !hit.Contains(other));
            if (hideout && forecast.Boxes(hit) > 0) best = Math.Max(best, Later(Math.Max(t, wait)));
        }
        return best;
    }

    /// Your ideas go here. Returns the command of this round.
    static string Decide(Round round, Player me)
    {
        string command = "MOVE";
        Cell target = me.Cell;
        double best = -1;
        foreach (bool lay in new[] { false, true })
        {
            var bombs = new List<Bomb>(round.Bombs);
            int boxesHere = 0;
            if (lay)
            {
                var before = new Forecast(round, round.Bombs);
                boxesHere = before.Boxes(before.Blast(me.Cell, me.Range));
                if (me.Bombs == 0 || before.BlockedUntil.ContainsKey(me.Cell) || boxesHere == 0) continue;
                // A bomb that is laid now shows its full timer in the next round.
                bombs.Add(new Bomb { Owner = me.Id, Cell = me.Cell, Timer = Fuse + 1, Range = me.Range });
            }
            var forecast = new Forecast(round, bombs);
            // The next bomb can be laid at once if there is one left, else when one of ours has gone off.
            int wait = me.Bombs > (lay ? 1 : 0) ? 0 : Horizon;
            foreach (Bomb bomb in bombs)
                if (bomb.Owner == me.Id) wait = Math.Min(wait, bomb.Timer);
            foreach (Cell step in Steps)
            {
                var cells = Reach(forecast, me.Cell, step);
                if (cells == null) continue; // That way lies death.
                double worth = boxesHere + BestAhead(forecast, me, cells, wait);
                if (worth > best)
                {
                    command = lay ? "BOMB" : "MOVE";
                    target = me.Cell + step;
                    best = worth;
                }
            }
        }
        Console.Error.WriteLine(
            $"at ({me.Cell.X}, {me.Cell.Y}): {command} to ({target.X}, {target.Y}), worth {best:F2}");
        // Idea: a bomb that hits several boxes is worth more than one that hits a single box, and items make your bombs better.
        // Idea: expect a bomb from every opponent who can lay one now, and see that you survive that, too.
        return $"{command} {target.X} {target.Y}";
    }

    static void Main()
    {
        int[] n = ReadNumbers(); // width height myId
        while (true)
        {
            Round round = ReadRound(n[1]);
            Player me = round.Players.First(player => player.Id == n[2]);
            Console.WriteLine(Decide(round, me));
        }
    }
}
