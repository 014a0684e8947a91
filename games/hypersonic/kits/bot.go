// Hypersonic: a starter bot.
//
// In each round it tries the ten things it can do (lay a bomb or not; stay or take one of four steps), drops those after which it
// could not survive the bombs that are in play, and takes the one after which it can bomb its next box soonest.
// The whole game in three steps: read (what the statement calls the protocol), decide (your ideas go there), print one line.
//
// Time: 1000 ms for the first answer, the start of the program included, and 100 ms for every other one.
// Your answers go to the standard output; for debugging, write to os.Stderr, the standard error output.
package main

import (
	"bufio"
	"fmt"
	"math"
	"os"
)

const (
	fuse     = 8        // Rounds from laying a bomb to its explosion.
	horizon  = fuse + 1 // So many rounds from now every bomb we know of has gone off.
	patience = 0.9      // What a box is worth if it comes one round later.
)

type Cell struct{ X, Y int }

type Cells map[Cell]bool

func (c Cell) Plus(step Cell) Cell { return Cell{c.X + step.X, c.Y + step.Y} }

var steps = []Cell{{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}}

// later tells what a box is worth if it comes so many rounds later.
func later(rounds int) float64 {
	worth := 1.0
	for i := 0; i < rounds; i++ {
		worth *= patience
	}
	return worth
}

// ---- Reading ----

type Player struct {
	ID    int
	Cell  Cell
	Bombs int // How many it can lay now.
	Range int // Of the bombs it lays; the cell of the bomb counts.
}

type Bomb struct {
	Owner int
	Cell  Cell
	Timer int // 1: it goes off in this round, before anybody moves.
	Range int
}

type Item struct {
	Cell Cell
	Kind int // 1: extra range, 2: extra bomb.
}

// Round is what you are told before each answer.
type Round struct {
	Rows    []string // '.' is floor, 'X' a wall, '0', '1', '2' boxes: empty, with extra range, with an extra bomb.
	Players []Player
	Bombs   []Bomb
	Items   []Item
}

// At tells what is there; outside of the grid, wall.
func (r *Round) At(c Cell) byte {
	if c.Y < 0 || c.Y >= len(r.Rows) || c.X < 0 || c.X >= len(r.Rows[c.Y]) {
		return 'X'
	}
	return r.Rows[c.Y][c.X]
}

func (r *Round) IsBox(c Cell) bool { return r.At(c) >= '0' && r.At(c) <= '2' }

var input = bufio.NewScanner(os.Stdin)

func readLine() string {
	if !input.Scan() {
		os.Exit(0) // The input has ended: the game is over, at least for us.
	}
	return input.Text()
}

func readRound(height int) *Round {
	round := &Round{}
	for y := 0; y < height; y++ {
		round.Rows = append(round.Rows, readLine())
	}
	var entities int
	fmt.Sscan(readLine(), &entities)
	for i := 0; i < entities; i++ {
		var entityType, owner, param1, param2 int
		var cell Cell
		fmt.Sscan(readLine(), &entityType, &owner, &cell.X, &cell.Y, &param1, &param2)
		switch entityType {
		case 0:
			round.Players = append(round.Players, Player{owner, cell, param1, param2})
		case 1:
			round.Bombs = append(round.Bombs, Bomb{owner, cell, param1, param2})
		case 2:
			round.Items = append(round.Items, Item{cell, param1})
		}
	}
	return round
}

// ---- Thinking ----

// Forecast is what the bombs in play will do.
type Forecast struct {
	round        *Round
	stops        Cells              // Bombs and items stop explosions.
	deadly       [horizon + 1]Cells // deadly[t]: who stands there after t steps from now is hit.
	blockedUntil map[Cell]int       // Cell of a bomb: so many steps from now nobody can enter it.
	doomed       Cells              // Boxes that will be gone.
}

func newForecast(round *Round, bombs []Bomb) *Forecast {
	f := &Forecast{round: round, stops: Cells{}, blockedUntil: map[Cell]int{}, doomed: Cells{}}
	for _, bomb := range bombs {
		f.stops[bomb.Cell] = true
	}
	for _, item := range round.Items {
		f.stops[item.Cell] = true
	}
	var blasts []Cells
	var timers []int
	for _, bomb := range bombs {
		blasts = append(blasts, f.blast(bomb.Cell, bomb.Range))
		timers = append(timers, bomb.Timer)
	}
	// A bomb that is hit goes off at the same moment: pass earlier timers on until nothing changes.
	for changed := true; changed; {
		changed = false
		for i := range bombs {
			for j := range bombs {
				if timers[i] < timers[j] && blasts[i][bombs[j].Cell] {
					timers[j] = timers[i]
					changed = true
				}
			}
		}
	}
	for t := range f.deadly {
		f.deadly[t] = Cells{}
	}
	for i, bomb := range bombs {
		f.blockedUntil[bomb.Cell] = timers[i]
		for cell := range blasts[i] {
			// What counts is where you stand before the round in which the timer reaches 0.
			f.deadly[timers[i]-1][cell] = true
			if round.IsBox(cell) {
				f.doomed[cell] = true
			}
		}
	}
	return f
}

// blast lists the cells that a bomb would hit. A box, an item and another bomb stop it.
func (f *Forecast) blast(cell Cell, reach int) Cells {
	hit := Cells{cell: true}
	for _, step := range steps[1:] {
		near := cell
		for i := 1; i < reach; i++ {
			near = near.Plus(step)
			if f.round.At(near) == 'X' {
				break
			}
			hit[near] = true
			if f.round.At(near) != '.' || f.stops[near] {
				break
			}
		}
	}
	return hit
}

// boxes counts the boxes among these cells, those left out that will be gone anyway.
func (f *Forecast) boxes(hit Cells) int {
	count := 0
	for cell := range hit {
		if f.round.IsBox(cell) && !f.doomed[cell] {
			count++
		}
	}
	return count
}

// isOpen tells whether somebody can walk into this cell with step number t.
func (f *Forecast) isOpen(cell Cell, t int) bool {
	return f.round.At(cell) == '.' && f.blockedUntil[cell] < t
}

// reach lists the cells we can be in after the step `first` and then any others, with the earliest time; nil if we cannot survive.
func reach(f *Forecast, here, first Cell) map[Cell]int {
	earliest := map[Cell]int{}
	layer := Cells{here: true}
	for t := 1; t <= horizon; t++ {
		choices := steps
		if t == 1 {
			choices = []Cell{first}
		}
		following := Cells{}
		for cell := range layer {
			for _, step := range choices {
				near := cell.Plus(step)
				if near != cell && !f.isOpen(near, t) || f.deadly[t][near] {
					continue
				}
				following[near] = true
				if _, known := earliest[near]; !known {
					earliest[near] = t
				}
			}
		}
		layer = following
	}
	if len(layer) == 0 {
		return nil
	}
	return earliest
}

// bestAhead tells how soon a box can be bombed from one of these cells: 1 for at once, less for each round later, 0 for never.
// `wait` rounds from now we can lay a bomb.
func bestAhead(f *Forecast, me Player, cells map[Cell]int, wait int) float64 {
	best := 0.0
	for cell, t := range cells {
		hit := f.blast(cell, me.Range)
		// Without a cell to hide in no bomb can be laid.
		hideout := false
		for other := range cells {
			hideout = hideout || !hit[other]
		}
		if hideout && f.boxes(hit) > 0 {
			if t < wait {
				t = wait
			}
			best = math.Max(best, later(t))
		}
	}
	return best
}

// decide: your ideas go here. It returns the command of this round.
func decide(round *Round, me Player) string {
	command, target, best := "MOVE", me.Cell, -1.0
	for _, verb := range []string{"MOVE", "BOMB"} {
		bombs := append([]Bomb{}, round.Bombs...)
		left, boxesHere := me.Bombs, 0
		if verb == "BOMB" {
			before := newForecast(round, round.Bombs)
			boxesHere = before.boxes(before.blast(me.Cell, me.Range))
			if me.Bombs == 0 || before.blockedUntil[me.Cell] > 0 || boxesHere == 0 {
				continue
			}
			// A bomb that is laid now shows its full timer in the next round.
			bombs = append(bombs, Bomb{me.ID, me.Cell, fuse + 1, me.Range})
			left--
		}
		forecast := newForecast(round, bombs)
		// The next bomb can be laid at once if there is one left, else when one of ours has gone off.
		wait := 0
		if left == 0 {
			wait = horizon
			for _, bomb := range bombs {
				if bomb.Owner == me.ID && bomb.Timer < wait {
					wait = bomb.Timer
				}
			}
		}
		for _, step := range steps {
			cells := reach(forecast, me.Cell, step)
			if cells == nil {
				continue // That way lies death.
			}
			if worth := float64(boxesHere) + bestAhead(forecast, me, cells, wait); worth > best {
				command, target, best = verb, me.Cell.Plus(step), worth
			}
		}
	}
	fmt.Fprintf(os.Stderr, "at %v: %s to %v, worth %.2f\n", me.Cell, command, target, best)
	// Idea: a bomb that hits several boxes is worth more than one that hits a single box, and items make your bombs better.
	// Idea: expect a bomb from every opponent who can lay one now, and see that you survive that, too.
	return fmt.Sprintf("%s %d %d", command, target.X, target.Y)
}

func main() {
	var width, height, myID int
	fmt.Sscan(readLine(), &width, &height, &myID)
	for {
		round := readRound(height)
		for _, player := range round.Players {
			if player.ID == myID {
				fmt.Println(decide(round, player))
			}
		}
	}
}
