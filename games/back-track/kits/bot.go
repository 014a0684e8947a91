// Back Track: a starter bot.
//
// It lays tracks for the wish that costs the least paint, turn after turn until it is connected, then for the next one.
// The whole game in three steps: read (what the statement calls the protocol), decide (your ideas go there), print one line.
//
// Time: 1000 ms for the first answer, the start of the program included, and 50 ms for every other one.
// Your answers go to the standard output; for debugging, write to os.Stderr, the standard error output.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

const (
	noTrack = -1
	never   = -1 // Where no track can be laid, or no way leads.
)

// For a track on plains, a river, a mountain, a place of interest.
var paintOfType = []int{1, 2, 3, 3}

// ---- Reading ----

type Cell struct {
	RegionID, Type int
	Town           bool
	// What changes from turn to turn:
	TrackOwner  int // -1, or the player 0 or 1, or 2: neutral.
	Instability int // Of the whole region.
	Inked       bool
	Connections []string // "1-2": it is on the way from town 1 to the town 2 it wants.
}

type Town struct {
	ID, X, Y int
	Wants    []int // Ids of other towns.
}

type Game struct {
	MyID, Width, Height int
	Cells               []Cell // Row by row: (x, y) is at y*Width+x.
	Towns               []Town
	MyScore, FoeScore   int
}

func (g *Game) index(t Town) int { return t.Y*g.Width + t.X }

var input = bufio.NewScanner(os.Stdin)

func readLine() string {
	if !input.Scan() {
		os.Exit(0) // The input has ended: the game is over.
	}
	return input.Text()
}

func number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

func readNumber() int { return number(readLine()) }

func readList(text string) []string {
	if text == "x" {
		return nil
	}
	return strings.Split(text, ",")
}

func readGame() *Game {
	game := &Game{MyID: readNumber(), Width: readNumber(), Height: readNumber()}
	for i := 0; i < game.Width*game.Height; i++ {
		words := strings.Split(readLine(), " ")
		game.Cells = append(game.Cells, Cell{RegionID: number(words[0]), Type: number(words[1])})
	}
	for left := readNumber(); left > 0; left-- {
		words := strings.Split(readLine(), " ")
		town := Town{ID: number(words[0]), X: number(words[1]), Y: number(words[2])}
		for _, wanted := range readList(words[3]) {
			town.Wants = append(town.Wants, number(wanted))
		}
		game.Towns = append(game.Towns, town)
		game.Cells[game.index(town)].Town = true
	}
	return game
}

func (g *Game) readTurn() {
	g.MyScore = readNumber()
	g.FoeScore = readNumber()
	for i := range g.Cells {
		words := strings.Split(readLine(), " ")
		cell := &g.Cells[i]
		cell.TrackOwner = number(words[0])
		cell.Instability = number(words[1])
		cell.Inked = words[2] == "1"
		cell.Connections = readList(words[3])
	}
}

// ---- Thinking ----

// paintFor tells what it costs to go on through this cell; never where no track can be laid.
func paintFor(cell Cell) int {
	switch {
	case cell.Town || cell.TrackOwner != noTrack:
		return 0
	case cell.Inked:
		return never
	default:
		return paintOfType[cell.Type]
	}
}

// paintFrom tells the paint that a way from this town to each cell costs, as AUTOPLACE would lay it.
func (g *Game) paintFrom(town Town) []int {
	paint := make([]int, len(g.Cells))
	for i := range paint {
		paint[i] = never
	}
	// waiting[p]: cells that can be reached for p points of paint. Both lists grow while we walk along them.
	waiting := [][]int{{g.index(town)}}
	for p := 0; p < len(waiting); p++ {
		for i := 0; i < len(waiting[p]); i++ {
			here := waiting[p][i]
			if paint[here] != never {
				continue // Reached before, for less.
			}
			paint[here] = p
			x, y := here%g.Width, here/g.Width
			for _, place := range [][2]int{{x, y - 1}, {x + 1, y}, {x, y + 1}, {x - 1, y}} {
				if place[0] < 0 || place[0] >= g.Width || place[1] < 0 || place[1] >= g.Height {
					continue
				}
				near := place[1]*g.Width + place[0]
				more := paintFor(g.Cells[near])
				if more == never || paint[near] != never {
					continue
				}
				for len(waiting) <= p+more {
					waiting = append(waiting, nil)
				}
				waiting[p+more] = append(waiting[p+more], near)
			}
		}
	}
	return paint
}

func contains(list []string, wanted string) bool {
	for _, piece := range list {
		if piece == wanted {
			return true
		}
	}
	return false
}

// chooseWish finds the unfulfilled wish that costs the least paint, and that paint; never if there is none.
func (g *Game) chooseWish() (from, to Town, least int) {
	least = never
	for _, town := range g.Towns {
		connections := g.Cells[g.index(town)].Connections
		paint := g.paintFrom(town)
		for _, wanted := range town.Wants {
			if contains(connections, fmt.Sprintf("%d-%d", town.ID, wanted)) {
				continue
			}
			cost := paint[g.index(g.Towns[wanted])]
			if cost != never && (least == never || cost < least) {
				from, to, least = town, g.Towns[wanted], cost
			}
		}
	}
	return from, to, least
}

// decide: your ideas go here. It returns the actions of this turn.
func (g *Game) decide() []string {
	var actions []string
	if from, to, paint := g.chooseWish(); paint != never {
		fmt.Fprintf(os.Stderr, "score %d : %d, town %d to town %d for %d paint\n",
			g.MyScore, g.FoeScore, from.ID, to.ID, paint)
		// Two players who lay the same tracks in the same turn both pay for neutral ones: the second one begins at the other end.
		if g.MyID == 1 {
			from, to = to, from
		}
		actions = append(actions, fmt.Sprintf("AUTOPLACE %d %d %d %d", from.X, from.Y, to.X, to.Y))
	}
	// Idea: DISRUPT washes the tracks of the opponent away. In which region does it have most to lose, and you least?
	// Idea: PLACE_TRACKS spends the paint that AUTOPLACE leaves over, and finds ways that serve several wishes at once.
	return actions
}

func main() {
	game := readGame()
	for {
		game.readTurn()
		actions := game.decide()
		if len(actions) == 0 {
			actions = []string{"WAIT"}
		}
		fmt.Println(strings.Join(actions, ";"))
	}
}
