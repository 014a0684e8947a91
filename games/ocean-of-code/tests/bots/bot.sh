#!/bin/bash
# Ocean of Code: keeps to narrow water, charges torpedoes and fires them three cells ahead.
read -r w h me || exit 0
wide=$((w + 2))
step=($((-wide)) 1 "$wide" -1)
dx=(0 3 0 -3) dy=(-3 0 3 0) name=(N E S W)
# The sea with a frame of land around it, row after row: 1 is water.
for ((i = 0; i < wide * (h + 2); i++)); do water[i]=0 been[i]=0; done
for ((y = 0; y < h; y++)); do
    read -r row || exit 0
    for ((x = 0; x < w; x++)); do
        [[ ${row:x:1} == . ]] && water[(y + 1) * wide + x + 1]=1
    done
done
at=$((me * (w * h / 2)))
while ((!water[(at / w + 1) * wide + at % w + 1])); do at=$(((at + 1) % (w * h))); done
echo "$((at % w)) $((at / w))"
for ((turn = 0; ; turn++)); do
    read -r x y life other torpedo rest && read -r sonar && read -r heard || exit 0
    here=$(((y + 1) * wide + x + 1)) best=-1 least=9
    been[here]=1
    for ((d = 0; d < 4; d++)); do
        n=$((here + step[d])) exits=0
        ((water[n] && !been[n])) || continue
        for s in "${step[@]}"; do ((exits += water[n + s] && !been[n + s])); done
        ((exits == 0)) && exits=8 # a dead end, only if there is nothing else
        ((exits < least)) && best=$d least=$exits
    done
    answer=
    for ((k = 0; torpedo == 0 && k < 4; k++)); do
        d=$(((turn + k) % 4)) s=${step[(turn + k) % 4]}
        ((water[here + s] && water[here + 2 * s] && water[here + 3 * s])) || continue
        answer="TORPEDO $((x + dx[d])) $((y + dy[d]))|"
        break
    done
    if ((best < 0)); then
        for i in "${!been[@]}"; do been[i]=0; done
        echo "${answer}SURFACE"
    else
        echo "${answer}MOVE ${name[best]} TORPEDO"
    fi
done
