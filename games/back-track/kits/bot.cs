// Back Track: a starter bot.
//
// It lays tracks for the wish that costs the least paint, turn after turn until it is connected, then for the next one.
// The whole game in three steps: read (what the statement calls the protocol), decide (your ideas go there), print one line.
//
// Time: 1000 ms for the first answer, the start of the program included, and 50 ms for every other one.
// Your answers go to the standard output; for debugging, write to Console.Error, the standard error output.

using System;
using System.Collections.Generic;
using System.Linq;

class Cell
{
    public int RegionId;
    public int Type;
    public bool Town;
    // What changes from turn to turn:
    public int TrackOwner; // -1, or the player 0 or 1, or 2: neutral.
    public int Instability; // Of the whole region.
    public bool Inked;
    public string[] Connections; // "1-2": it is on the way from town 1 to the town 2 it wants.
}

class Town
{
    public int Id, X, Y;
    public List<int> Wants; // Ids of other towns.
}

class Wish
{
    public int Paint;
    public Town From, To;
}

class Game
{
    public int MyId, Width, Height;
    public List<Cell> Cells = new List<Cell>(); // Row by row: (x, y) is at y * Width + x.
    public List<Town> Towns = new List<Town>();
    public int MyScore, FoeScore;

    public int Index(Town town) => town.Y * Width + town.X;
}

class Bot
{
    const int NoTrack = -1;
    static readonly int[] Paint = { 1, 2, 3, 3 }; // For a track on plains, a river, a mountain, a place of interest.
    const int Never = -1; // Where no track can be laid, or no way leads.

    // ---- Reading ----

    static string ReadLine()
    {
        string line = Console.ReadLine();
        if (line == null) Environment.Exit(0); // The input has ended: the game is over.
        return line;
    }

    static int ReadNumber() => int.Parse(ReadLine());

    static string[] ReadList(string text) => text == "x" ? new string[0] : text.Split(',');

    static Game ReadGame()
    {
        var game = new Game { MyId = ReadNumber(), Width = ReadNumber(), Height = ReadNumber() };
        for (int i = 0; i < game.Width * game.Height; i++)
        {
            string[] words = ReadLine().Split(' ');
            game.Cells.Add(new Cell { RegionId = int.Parse(words[0]), Type = int.Parse(words[1]) });
        }
        int townCount = ReadNumber();
        for (int i = 0; i < townCount; i++)
        {
            string[] words = ReadLine().Split(' ');
            var town = new Town
            {
                Id = int.Parse(words[0]),
                X = int.Parse(words[1]),
                Y = int.Parse(words[2]),
                Wants = ReadList(words[3]).Select(int.Parse).ToList(),
            };
            game.Towns.Add(town);
            game.Cells[game.Index(town)].Town = true;
        }
        return game;
    }

    static void ReadTurn(Game game)
    {
        game.MyScore = ReadNumber();
        game.FoeScore = ReadNumber();
        foreach (Cell cell in game.Cells)
        {
            string[] words = ReadLine().Split(' ');
            cell.TrackOwner = int.Parse(words[0]);
            cell.Instability = int.Parse(words[1]);
            cell.Inked = words[2] == "1";
            cell.Connections = ReadList(words[3]);
        }
    }

    // ---- Thinking ----

    /// What it costs to go on through this cell; Never where no track can be laid.
    static int PaintFor(Cell cell)
    {
        if (cell.Town || cell.TrackOwner != NoTrack) return 0;
        return cell.Inked ? Never : Paint[cell.Type];
    }

    /// The paint that a way from this town to each cell costs, as AUTOPLACE would lay it.
    static int[] PaintFrom(Game game, Town town)
    {
        int[] paint = Enumerable.Repeat(Never, game.Cells.Count).ToArray();
        // waiting[p]: cells that can be reached for p points of paint. Both lists grow while we walk along them.
        var waiting = new List<List<int>> { new List<int> { game.Index(town) } };
        for (int p = 0; p < waiting.Count; p++)
        {
            for (int i = 0; i < waiting[p].Count; i++)
            {
                int here = waiting[p][i];
                if (paint[here] != Never) continue; // Reached before, for less.
                paint[here] = p;
                int x = here % game.Width, y = here / game.Width;
                foreach (int[] place in new[] { new[] { x, y - 1 }, new[] { x + 1, y }, new[] { x, y + 1 }, new[] { x - 1, y } })
                {
                    if (place[0] < 0 || place[0] >= game.Width || place[1] < 0 || place[1] >= game.Height) continue;
                    int near = place[1] * game.Width + place[0];
                    int more = PaintFor(game.Cells[near]);
                    if (more == Never || paint[near] != Never) continue;
                    while (waiting.Count <= p + more) waiting.Add(new List<int>());
                    waiting[p + more].Add(near);
                }
            }
        }
        return paint;
    }

    /// The unfulfilled wish that costs the least paint; null if there is none.
    static Wish ChooseWish(Game game)
    {
        Wish best = null;
        foreach (Town town in game.Towns)
        {
            string[] connections = game.Cells[game.Index(town)].Connections;
            int[] paint = PaintFrom(game, town);
            foreach (int wanted in town.Wants)
            {
                if (connections.Contains($"{town.Id}-{wanted}")) continue;
                Town to = game.Towns[wanted];
                int cost = paint[game.Index(to)];
                if (cost != Never && (best == null || cost < best.Paint))
                    best = new Wish { Paint = cost, From = town, To = to };
            }
        }
        return best;
    }

    /// Your ideas go here. Returns the actions of this turn.
    static List<string> Decide(Game game)
    {
        var actions = new List<string>();
        Wish wish = ChooseWish(game);
        if (wish != null)
        {
            Town from = wish.From, to = wish.To;
            Console.Error.WriteLine(
                $"score {game.MyScore} : {game.FoeScore}, town {from.Id} to town {to.Id} for {wish.Paint} paint");
            // Two players who lay the same tracks in the same turn both pay for neutral ones: the second one begins at the other
            // end.
            if (game.MyId == 1)
            {
                from = wish.To;
                to = wish.From;
            }
            actions.Add($"AUTOPLACE {from.X} {from.Y} {to.X} {to.Y}");
        }
        // Idea: DISRUPT washes the tracks of the opponent away. In which region does it have most to lose, and you least?
        // Idea: PLACE_TRACKS spends the paint that AUTOPLACE leaves over, and finds ways that serve several wishes at once.
        return actions;
    }

    static void Main()
    {
        Game game = ReadGame();
        while (true)
        {
            ReadTurn(game);
            List<string> actions = Decide(game);
            Console.WriteLine(actions.Count == 0 ? "WAIT" : string.Join(";", actions));
        }
    }
}
