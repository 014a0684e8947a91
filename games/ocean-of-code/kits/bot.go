// Ocean of Code: a starter bot.
//
// It stays in the larger part of the sea, keeps a list of the cells the enemy may be in, and fires where that list is dense.
// The whole game in three steps: read (what the statement calls the protocol), decide (your ideas go there), print one line.
//
// Time: 1000 ms for the first answer, the start of the program included, and 50 ms for every other one.
// Your answers go to the standard output; for debugging, write to os.Stderr, the standard error output.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

const (
	directions   = "NESW"
	torpedoRange = 4
	silenceSteps = 4
	anywhere     = 1000 // More steps than there are.
	fireAt       = 0.5  // Fire when the damage to expect is at least this.
	nowhere      = rune(0)
)

type Cell struct{ X, Y int }

type Cells map[Cell]bool

func (c Cell) Step(direction rune) Cell {
	switch direction {
	case 'N':
		return Cell{c.X, c.Y - 1}
	case 'E':
		return Cell{c.X + 1, c.Y}
	case 'S':
		return Cell{c.X, c.Y + 1}
	default:
		return Cell{c.X - 1, c.Y}
	}
}

// Sector is 1 to 9, row by row.
func (c Cell) Sector() int { return c.X/5 + c.Y/5*3 + 1 }

// ---- Reading ----

// Sea is the map: it never changes.
type Sea struct {
	Width, Height, MyID int
	Rows                []string
}

func (s *Sea) IsWater(c Cell) bool {
	return c.X >= 0 && c.X < s.Width && c.Y >= 0 && c.Y < s.Height && s.Rows[c.Y][c.X] == '.'
}

// Cells lists all water, row by row.
func (s *Sea) Cells() []Cell {
	var all []Cell
	for y := 0; y < s.Height; y++ {
		for x := 0; x < s.Width; x++ {
			if s.IsWater(Cell{x, y}) {
				all = append(all, Cell{x, y})
			}
		}
	}
	return all
}

// Turn is what you are told before each answer. A cooldown counts the charges that are missing: 0 is ready, -1 is not in this
// league.
type Turn struct {
	Cell                                                          Cell
	MyLife, OppLife                                               int
	TorpedoCooldown, SonarCooldown, SilenceCooldown, MineCooldown int
	SonarResult                                                   string   // Y or N after your own SONAR, else NA.
	OppOrders                                                     []string // What the enemy did, as far as it can be heard.
}

var input = bufio.NewScanner(os.Stdin)

func readLine() string {
	if !input.Scan() {
		os.Exit(0) // The input has ended: the game is over.
	}
	return input.Text()
}

func readSea() *Sea {
	sea := &Sea{}
	fmt.Sscan(readLine(), &sea.Width, &sea.Height, &sea.MyID)
	for y := 0; y < sea.Height; y++ {
		sea.Rows = append(sea.Rows, readLine())
	}
	return sea
}

func readTurn() Turn {
	var t Turn
	fmt.Sscan(readLine(), &t.Cell.X, &t.Cell.Y, &t.MyLife, &t.OppLife,
		&t.TorpedoCooldown, &t.SonarCooldown, &t.SilenceCooldown, &t.MineCooldown)
	t.SonarResult = readLine()
	if heard := readLine(); heard != "NA" {
		t.OppOrders = strings.Split(heard, "|")
	}
	return t
}

// ---- Thinking ----

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// distances tells the steps from `start` to each water cell that can be reached in `limit` steps without entering a blocked one.
func distances(sea *Sea, start Cell, blocked Cells, limit int) map[Cell]int {
	found := map[Cell]int{start: 0}
	queue := []Cell{start}
	for i := 0; i < len(queue); i++ { // The queue grows while we walk along it.
		cell := queue[i]
		if found[cell] == limit {
			continue
		}
		for _, direction := range directions {
			near := cell.Step(direction)
			if _, known := found[near]; sea.IsWater(near) && !blocked[near] && !known {
				found[near] = found[cell] + 1
				queue = append(queue, near)
			}
		}
	}
	return found
}

type Bot struct {
	sea      *Sea
	trail    Cells // Cells that may not be entered again until we surface.
	suspects Cells // Cells the enemy may be in.
	life     int   // Our lives, as far as we know why.
}

func newBot(sea *Sea) *Bot {
	bot := &Bot{sea: sea, trail: Cells{}}
	bot.suspectEverywhere()
	return bot
}

func (b *Bot) suspectEverywhere() {
	b.suspects = Cells{}
	for _, cell := range b.sea.Cells() {
		b.suspects[cell] = true
	}
}

// chooseStart chooses a cell of the largest sea, as near to the middle as possible: in a corner there is little room to hide.
func (b *Bot) chooseStart() Cell {
	largest := map[Cell]int{}
	seen := Cells{}
	for _, cell := range b.sea.Cells() {
		if seen[cell] {
			continue
		}
		region := distances(b.sea, cell, nil, anywhere)
		for reached := range region {
			seen[reached] = true
		}
		if len(region) > len(largest) {
			largest = region
		}
	}
	best, bestDistance := Cell{}, anywhere
	for _, cell := range b.sea.Cells() {
		distance := abs(cell.X-b.sea.Width/2) + abs(cell.Y-b.sea.Height/2)
		if _, inside := largest[cell]; inside && distance < bestDistance {
			best, bestDistance = cell, distance
		}
	}
	return best
}

// listen keeps those suspects that fit what the enemy was heard to do.
func (b *Bot) listen(order string) {
	word, arguments, _ := strings.Cut(order, " ")
	fitting := Cells{}
	switch word {
	case "MOVE":
		for cell := range b.suspects {
			if moved := cell.Step(rune(arguments[0])); b.sea.IsWater(moved) {
				fitting[moved] = true
			}
		}
	case "SURFACE":
		var sector int
		fmt.Sscan(arguments, &sector)
		for cell := range b.suspects {
			if cell.Sector() == sector {
				fitting[cell] = true
			}
		}
	case "TORPEDO":
		var x, y int
		fmt.Sscan(arguments, &x, &y)
		for cell := range b.suspects {
			if abs(cell.X-x)+abs(cell.Y-y) <= torpedoRange {
				fitting[cell] = true
			}
		}
	case "SILENCE":
		for start := range b.suspects {
			fitting[start] = true
			for _, direction := range directions {
				cell := start.Step(direction)
				for i := 0; i < silenceSteps && b.sea.IsWater(cell); i++ {
					fitting[cell] = true
					cell = cell.Step(direction)
				}
			}
		}
	default:
		// Idea: MINE and TRIGGER tell something as well, and so do the lives that our own shots cost the enemy.
		return
	}
	b.suspects = fitting
}

// bestDirection finds the direction with the most room behind it; of equal ones the one with the fewest ways on, which follows
// the shores and so keeps the sea in one piece. It is nowhere if every way is closed.
func (b *Bot) bestDirection(here Cell) rune {
	best, bestRoom, bestWays := nowhere, 0, 0
	for _, direction := range directions {
		cell := here.Step(direction)
		if !b.sea.IsWater(cell) || b.trail[cell] {
			continue
		}
		room := len(distances(b.sea, cell, b.trail, anywhere))
		ways := len(distances(b.sea, cell, b.trail, 1)) - 1
		if best == nowhere || room > bestRoom || room == bestRoom && ways < bestWays {
			best, bestRoom, bestWays = direction, room, ways
		}
	}
	return best
}

// bestTarget finds the cell in range with the highest damage to expect, and that damage.
func (b *Bot) bestTarget(here Cell) (Cell, float64) {
	best, bestDamage := here, 0.0
	inRange := distances(b.sea, here, nil, torpedoRange)
	for _, target := range b.sea.Cells() {
		// A blast next to us would hit us, too.
		near := abs(target.X-here.X) <= 1 && abs(target.Y-here.Y) <= 1
		if _, reached := inRange[target]; !reached || near {
			continue
		}
		lives := 0 // 2 in the middle, 1 around it.
		if b.suspects[target] {
			lives++
		}
		for y := target.Y - 1; y <= target.Y+1; y++ {
			for x := target.X - 1; x <= target.X+1; x++ {
				if b.suspects[Cell{x, y}] {
					lives++
				}
			}
		}
		if damage := float64(lives) / float64(len(b.suspects)); damage > bestDamage {
			best, bestDamage = target, damage
		}
	}
	return best, bestDamage
}

// decide: your ideas go here. It returns the actions of this turn; each word may be there once only.
func (b *Bot) decide(turn Turn) []string {
	var actions []string
	here := turn.Cell
	b.trail[here] = true
	wasHit := turn.MyLife < b.life
	b.life = turn.MyLife

	for _, order := range turn.OppOrders {
		b.listen(order)
	}
	if len(b.suspects) == 0 {
		b.suspectEverywhere() // We have misunderstood something: begin again.
	}

	// Move; where no way is left, surface first, which costs a life and wipes out the trail.
	direction := b.bestDirection(here)
	if direction == nowhere {
		actions = append(actions, "SURFACE")
		b.trail = Cells{here: true}
		b.life--
		direction = b.bestDirection(here)
	}
	if direction != nowhere {
		power := "TORPEDO"
		if turn.TorpedoCooldown == 0 && turn.SilenceCooldown > 0 {
			power = "SILENCE"
		}
		actions = append(actions, fmt.Sprintf("MOVE %c %s", direction, power))
		if power == "TORPEDO" && turn.TorpedoCooldown > 0 {
			turn.TorpedoCooldown--
		}
		here = here.Step(direction)
		b.trail[here] = true
	}

	// Fire, if the enemy is likely enough to be hit.
	target, damage := b.bestTarget(here)
	if turn.TorpedoCooldown == 0 && damage >= fireAt {
		actions = append(actions, fmt.Sprintf("TORPEDO %d %d", target.X, target.Y))
	}

	// Somebody knows where we are: slip away unheard.
	if escape := b.bestDirection(here); wasHit && turn.SilenceCooldown == 0 && escape != nowhere {
		actions = append(actions, fmt.Sprintf("SILENCE %c 1", escape))
	}

	fmt.Fprintf(os.Stderr, "at %v, %d suspects, damage to expect %.2f\n", turn.Cell, len(b.suspects), damage)
	// Idea: SONAR halves the suspects, MINE and TRIGGER make whole regions dangerous.
	return actions
}

func main() {
	bot := newBot(readSea())
	start := bot.chooseStart()
	fmt.Println(start.X, start.Y)
	for {
		actions := bot.decide(readTurn())
		if len(actions) == 0 {
			actions = []string{"SURFACE"}
		}
		fmt.Println(strings.Join(actions, "|"))
	}
}
