#!/bin/bash
# Hypersonic: bombs boxes it stands beside when there is a way out, and never waits in the reach of a bomb.
read -r w h me || exit 0
wide=$((w + 2))
steps=(-1 1 "$((-wide))" "$wide")
printf -v wall '%*s' "$wide" ''
wall=${wall// /X}

blast() { # cell range
    hot[$1]=1
    local s i n
    for s in "${steps[@]}"; do
        for ((i = 1, n = $1 + s; i < $2; i++, n += s)); do
            [[ ${grid:n:1} == . ]] || break
            hot[n]=1
        done
    done
}

beside_box() { # cell
    local s
    for s in "${steps[@]}"; do [[ ${grid:$1+s:1} == [012] ]] && return 0; done
    return 1
}

find_way() { # flee or seek: sets `to` to the first step to the nearest goal, -1 if there is none
    local -a first=() queue=("$here")
    local head cell s n
    first[here]=-1
    for ((head = 0; head < ${#queue[@]}; head++)); do
        cell=${queue[head]}
        if ((cell != here)) && if [[ $1 == flee ]]; then ((!hot[cell])); else beside_box "$cell"; fi; then
            to=${first[cell]}
            return
        fi
        for s in "${steps[@]}"; do
            n=$((cell + s))
            [[ ${grid:n:1} == . && -z ${bomb[n]} && -z ${first[n]} ]] || continue
            [[ $1 == seek && -n ${hot[n]} ]] && continue
            first[n]=$((cell == here ? n : first[cell]))
            queue+=("$n")
        done
    done
    to=-1
}

while :; do
    grid=$wall
    for ((y = 0; y < h; y++)); do read -r row && grid+="X${row}X" || exit 0; done
    grid+=$wall bomb=() hot=() bombs=0 range=0 to=-1 verb=MOVE
    read -r count || exit 0
    for ((; count > 0; count--)); do
        read -r kind owner x y a b || exit 0
        cell=$(((y + 1) * wide + x + 1))
        ((kind == 0 && owner == me)) && here=$cell bombs=$a range=$b
        ((kind == 1)) && bomb[cell]=1 && blast "$cell" "$b"
    done
    if ((hot[here])); then
        find_way flee
    elif ((bombs > 0)) && beside_box "$here"; then
        blast "$here" "$range"
        find_way flee
        ((to >= 0)) && verb=BOMB
    elif ((bombs > 0)); then
        find_way seek
    fi
    ((to < 0)) && to=$here
    echo "$verb $((to % wide - 1)) $((to / wide - 1))"
done
