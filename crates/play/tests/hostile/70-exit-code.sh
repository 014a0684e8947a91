# agon-hostile
# game: ocean-of-code
# verdict: crash
# level: any
# about: exits with code 3 in the middle of the game

# A small legal player of Ocean of Code: the first water cell, then any free neighbour, else up.
start() {
    read -r _ || exit 0
    mapfile -t -n 15 sea
    local x y
    for ((y = 0; y < 15; y++)); do
        for ((x = 0; x < 15; x++)); do
            [[ ${sea[y]:x:1} == . ]] && answer="$x $y" && return
        done
    done
}

turn() {
    read -r x y _ && read -r _ && read -r _ || exit 0
    been[y * 15 + x]=1
    local way u v
    for way in "N $x $((y - 1))" "E $((x + 1)) $y" "S $x $((y + 1))" "W $((x - 1)) $y"; do
        read -r way u v <<<"$way"
        ((u >= 0 && v >= 0)) && [[ ${sea[v]:u:1} == . && -z ${been[v * 15 + u]} ]] || continue
        answer="MOVE $way TORPEDO"
        return
    done
    been=()
    answer=SURFACE
}

start
echo "$answer"
turn
echo "$answer"
turn
echo "out of ideas" >&2
exit 3
