# Back Track: joins towns that want each other, the nearest first, and washes away where the foe has more tracks.
use strict;
use warnings;

$| = 1;

sub line { my $line = <STDIN> // exit; chomp $line; $line }

my ($me, $w, $h) = (line(), line(), line());
my @region = map { (split ' ', line())[0] } 1 .. $w * $h;
my (@x, @y, @wishes);
for my $from (0 .. line() - 1) {
    my $wanted;
    (undef, $x[$from], $y[$from], $wanted) = split ' ', line();
    push @wishes, map { [$from, $_] } grep { $_ ne 'x' } split /,/, $wanted;
}
my %length;
$length{$_} = abs($x[$$_[0]] - $x[$$_[1]]) + abs($y[$$_[0]] - $y[$$_[1]]) for @wishes;
@wishes = sort { $length{$a} <=> $length{$b} || $$a[0] <=> $$b[0] || $$a[1] <=> $$b[1] } @wishes;

my %tries;
for (my $turn = 0; ; $turn++) {
    line(), line();    # the scores
    my (%more, @links);    # tracks the foe has more than we, by region
    for my $region (@region) {
        my ($owner, undef, undef, $links) = split ' ', line();
        push @links, ",$links,";
        $more{$region} += $owner == $me ? -1 : 1 if $owner == 0 || $owner == 1;
    }
    my @answer;
    for my $wish (@wishes) {
        my ($from, $to) = @$wish;
        # The connections of a town are on the line of its cell.
        next if ($tries{$wish} // 0) >= 15 || index($links[$y[$from] * $w + $x[$from]], ",$from-$to,") >= 0;
        $tries{$wish}++;
        ($from, $to) = ($to, $from) if $me;    # the two players meet half way
        push @answer, "AUTOPLACE $x[$from] $y[$from] $x[$to] $y[$to]";
        last;
    }
    my ($worst) = sort { $more{$b} <=> $more{$a} || $a <=> $b } keys %more;
    push @answer, "DISRUPT $worst" if $turn % 2 && defined $worst && $more{$worst} > 0;
    print join(';', @answer) || 'WAIT', "\n";
}
