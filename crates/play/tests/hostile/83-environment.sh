# agon-hostile
# game: ocean-of-code
# verdict: fine
# level: any
# about: looks for secrets in its own environment

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

for name in $(compgen -e); do
    case $name in
    PATH | HOME | LANG | LC_ALL | LC_CTYPE | PWD | OLDPWD | SHLVL | TMPDIR | _) ;;
    *) echo "BREACH $name is in the environment" >&2 ;;
    esac
done
start
while :; do
    echo "$answer"
    turn
done
