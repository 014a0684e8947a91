#!/bin/bash
# Back Track: joins towns that want each other, the nearest first, and washes away where the foe has more tracks.
read -r me && read -r w && read -r h || exit 0
size=$((w * h))
mapfile -t -n "$size" region
((${#region[@]} == size)) || exit 0
region=("${region[@]%% *}") # the terrain does not matter
read -r count || exit 0
for ((i = 0; i < count; i++)); do
    read -r id x y wanted || exit 0
    town_x[i]=$x town_y[i]=$y want[i]=${wanted/x/}
done
# The wishes by length, then by name: `from to`.
longest=$((w + h))
for ((length = 0; length < longest; length++)); do
    for ((a = 0; a < count; a++)); do
        for b in ${want[a]//,/ }; do
            ((across = town_x[a] - town_x[b], down = town_y[a] - town_y[b]))
            ((${across#-} + ${down#-} == length)) && wishes+=("$a $b")
        done
    done
done
for ((turn = 0; ; turn++)); do
    read -r mine && read -r theirs || exit 0
    mapfile -t -n "$size" cells
    ((${#cells[@]} == size)) || exit 0
    answer= more=() worst=-1
    for wish in "${!wishes[@]}"; do
        a=${wishes[wish]% *} b=${wishes[wish]#* }
        # The connections of a town are on the line of its cell.
        links=",${cells[town_y[a] * w + town_x[a]]##* },"
        [[ $links == *",$a-$b,"* ]] || ((tries[wish] >= 15)) && continue
        ((tries[wish]++))
        ((me)) && a=$b b=${wishes[wish]% *} # the two players meet half way
        answer="AUTOPLACE ${town_x[a]} ${town_y[a]} ${town_x[b]} ${town_y[b]}"
        break
    done
    if ((turn % 2)); then
        for i in "${!cells[@]}"; do # tracks the foe has more than we, by region
            case ${cells[i]%% *} in
            "$me") ((more[region[i]]--)) ;;
            0 | 1) ((more[region[i]]++)) ;;
            esac
        done
        for r in "${!more[@]}"; do
            ((more[r] > 0 && (worst < 0 || more[r] > more[worst]))) && worst=$r
        done
        ((worst >= 0)) && answer+="${answer:+;}DISRUPT $worst"
    fi
    echo "${answer:-WAIT}"
done
