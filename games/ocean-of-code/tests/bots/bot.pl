# Ocean of Code: keeps to narrow water, charges torpedoes and fires them three cells ahead.
use strict;
use warnings;

$| = 1;
my ($w, $h, $me) = split ' ', <STDIN> // exit;
my $wide = $w + 2;
my @step = (-$wide, 1, $wide, -1);
# The sea with a frame of land around it, row after row.
my @water = (0) x ($wide * ($h + 2));
for my $y (0 .. $h - 1) {
    my $row = <STDIN> // exit;
    $water[($y + 1) * $wide + $_ + 1] = substr($row, $_, 1) eq '.' for 0 .. $w - 1;
}
my $at = $me * int($w * $h / 2);
$at = ($at + 1) % ($w * $h) until $water[(int($at / $w) + 1) * $wide + $at % $w + 1];
printf "%d %d\n", $at % $w, $at / $w;

my %been;
for (my $turn = 0; defined(my $state = <STDIN>); $turn++) {
    my $sonar = <STDIN> // exit;
    my $heard = <STDIN> // exit;
    my ($x, $y, $life, $other, $torpedo) = split ' ', $state;
    my $here = ($y + 1) * $wide + $x + 1;
    $been{$here} = 1;
    my ($best, $least) = (-1, 9);
    for my $d (0 .. 3) {
        my $n = $here + $step[$d];
        next unless $water[$n] && !$been{$n};
        # Few ways on: take it now. None at all: only if there is nothing else.
        my $exits = (grep { $water[$n + $_] && !$been{$n + $_} } @step) || 8;
        ($best, $least) = ($d, $exits) if $exits < $least;
    }
    my $answer = '';
    for my $d (map { ($turn + $_) % 4 } 0 .. 3) {
        last if $torpedo;
        next if grep { !$water[$here + $_ * $step[$d]] } 1 .. 3;
        $answer = sprintf 'TORPEDO %d %d|', $x + (0, 3, 0, -3)[$d], $y + (-3, 0, 3, 0)[$d];
        last;
    }
    if ($best < 0) {
        %been = ();
        print $answer, "SURFACE\n";
    } else {
        print $answer, 'MOVE ', (qw(N E S W))[$best], " TORPEDO\n";
    }
}
