# Hypersonic: bombs boxes it stands beside when there is a way out, and never waits in the reach of a bomb.
use strict;
use warnings;

$| = 1;
my ($w, $h, $me) = split ' ', <STDIN> // exit;
my $wide  = $w + 2;
my @steps = (-1, 1, -$wide, $wide);
my ($grid, $here, %bomb, %hot);

sub at { substr $grid, $_[0], 1 }

sub blast {
    my ($cell, $range) = @_;
    $hot{$cell} = 1;
    for my $s (@steps) {
        for (my $i = 1; $i < $range && at($cell + $i * $s) eq '.'; $i++) { $hot{$cell + $i * $s} = 1 }
    }
}

sub beside_box { my $cell = shift; scalar grep { at($cell + $_) =~ /[012]/ } @steps }

# The first step to the nearest safe cell, or over safe cells to the nearest box; -1 if there is none.
sub find {
    my $flee  = shift;
    my %first = ($here => -1);
    my @queue = ($here);
    while (defined(my $cell = shift @queue)) {
        return $first{$cell} if $cell != $here && ($flee ? !$hot{$cell} : beside_box($cell));
        for my $n (map { $cell + $_ } @steps) {
            next if at($n) ne '.' || $bomb{$n} || $first{$n} || !$flee && $hot{$n};
            $first{$n} = $cell == $here ? $n : $first{$cell};
            push @queue, $n;
        }
    }
    return -1;
}

while (1) {
    $grid = 'X' x $wide;
    for (1 .. $h) {
        chomp(my $row = <STDIN> // exit);
        $grid .= "X${row}X";
    }
    $grid .= 'X' x $wide;
    %bomb = %hot = ();
    my ($left, $range) = (0, 0);
    my $count = <STDIN> // exit;
    for (1 .. $count) {
        my ($kind, $owner, $x, $y, $a1, $b1) = split ' ', <STDIN> // exit;
        my $cell = ($y + 1) * $wide + $x + 1;
        ($here, $left, $range) = ($cell, $a1, $b1) if $kind == 0 && $owner == $me;
        $bomb{$cell} = 1, blast($cell, $b1) if $kind == 1;
    }
    my $calm = !$hot{$here} && $left > 0;
    my $lay  = $calm && beside_box($here);
    blast($here, $range) if $lay;
    my $to   = $hot{$here} ? find(1) : $calm ? find(0) : -1;
    my $verb = $lay && $to >= 0 ? 'BOMB' : 'MOVE';
    $to = $here if $to < 0;
    printf "%s %d %d\n", $verb, $to % $wide - 1, int($to / $wide) - 1;
}
