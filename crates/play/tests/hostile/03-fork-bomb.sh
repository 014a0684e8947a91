# agon-hostile
# game: ocean-of-code
# verdict: timeout
# level: B
# about: the fork bomb of the shell, a tree of at most a thousand processes

# In a namespace of processes of its own a program has a small number. Elsewhere nothing is tried: the host is spared.
in_own_namespace() {
    (($$ < 100)) || { echo "BREACH no namespace of processes of its own" >&2 && return 1; }
}

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

bomb() {
    (($1 > 8)) && exec sleep 20
    bomb $(($1 + 1)) &
    bomb $(($1 + 1)) &
    wait
}

start
echo "$answer"
turn
echo "$answer"
turn
in_own_namespace && bomb 0
