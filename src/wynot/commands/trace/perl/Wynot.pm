# What traced Perl programs call: the list of numbers (recording), or what is left of the trace (replay).
# Nothing but Perl's own modules.
package Wynot;
use strict;
use warnings;
use Scalar::Util qw(weaken);

our (@E, $playing, $cur, $target, $limit, $home);
my (@statements, @order, @functions, @parents, @ends, $mask, %waiting);

sub numbers { my ($file, $count) = @_; read($file, my $bytes, 4 * $count); return unpack("l<*", $bytes); }

# One argument: the plan of a replay, or - for a recording.
sub begin {
    my ($plan, $path, $clock, $seed, $folder, $most) = @_;
    chdir $folder;
    srand($seed);
    my $time = $clock;
    no warnings "once";
    *CORE::GLOBAL::time = sub () { $time += 1e-6; return int($time) };
    ($target, $limit, $home) = ($path, $most, $folder);
    if ($plan eq "-") { return }
    $playing = 1;
    open(my $file, "<:raw", $path) or die "wynot: $path: $!";
    my ($events, $calls) = split " ", scalar readline($file);
    @statements = numbers($file, $events); @order = numbers($file, $events);
    @functions = numbers($file, $calls); @parents = numbers($file, $calls); @ends = numbers($file, $calls);
    close $file;
    $mask = "\0" x $events;
    open($file, "<", $plan) or die "wynot: $plan: $!";
    while (my $line = readline($file)) {
        my ($low, $high) = split " ", $line;
        substr($mask, $low, $high - $low) = "\1" x ($high - $low);
    }
    close $file;
    for my $call (reverse 0 .. $#functions) { push @{ $waiting{"$parents[$call] $functions[$call]"} }, $call }
}

# A variable that was not set holds anything, and not a nothing that may pass for 0: as in a debugger that runs a program
# a second time, or on a stack.
sub unset { no strict "refs"; ${"main::$_"} = 7919.5 for @_ }

# A statement of a condition, or of a for: false.
sub s { push @E, $_[0]; return 0 }
sub seen { return 1 }

sub in {
    my ($function) = @_;
    if (!$playing) { push @E, -(16 + 2 * $function); return bless [], "Wynot::Recorded" }
    my $node = $cur ? $cur->{node} : -1;
    my $call = pop @{ $waiting{"$node $function"} || [] };
    my @rest = defined $call ? grep { substr($mask, $_, 1) eq "\1" } @order[ ($call ? $ends[$call - 1] : 0) .. $ends[$call] - 1 ] : ();
    my $self = bless { rest => \@rest, place => 0, node => -1, parent => $cur, on => {}, lists => {} }, "Wynot::Call";
    $self->{at} = @rest ? $statements[ $rest[0] ] : -1;
    weaken($cur = $self);
    return $self;
}

package Wynot::Recorded;
sub DESTROY { push @Wynot::E, -1; die "wynot: too long\n" if @Wynot::E > $Wynot::limit }

package Wynot::Call;
sub DESTROY { my ($self) = @_; Scalar::Util::weaken($Wynot::cur = $self->{parent}) }
sub onward {
    my ($self) = @_;
    my $place = ++$self->{place};
    $self->{at} = $place < @{ $self->{rest} } ? $statements[ $self->{rest}[$place] ] : -1;
}
sub go {
    my ($self, $number) = @_;
    return $self->{on}{$number} = 0 if $self->{at} != $number;
    $self->{node} = $self->{rest}[ $self->{place} ];
    $self->onward;
    return $self->{on}{$number} = 1;
}
sub on { return $_[0]{on}{ $_[1] } }
sub fresh { my ($self, $number) = @_; return delete($self->{on}{$number}) || delete($self->{on}{$number + 1}) }
sub in { return $_[1] <= $_[0]{at} && $_[0]{at} < $_[2] }
sub skip { my ($self, $low, $high) = @_; $self->onward while $self->in($low, $high) }
sub list { my ($self, $number, @items) = @_; $self->{lists}{$number} = [@items] }
sub advance { shift @{ $_[0]{lists}{ $_[1] } || [] } }
sub item { my ($self, $number) = @_; my $list = $self->{lists}{$number} || []; return @$list ? $list->[0] : \my $nothing }

package Wynot;
END {
    my $status = $?;
    if (!$playing && defined $target) {
        open(my $file, ">:raw", $target) or die "wynot: $target: $!";
        print $file pack("l<*", @E);
        close $file;
        open($file, ">", "$target.loaded") or die "wynot: $target: $!";
        print $file m{^/} ? "$_\n" : "$home/$_\n" for grep { defined && !ref } values %INC;
        close $file;
    }
    $? = $status;
}
1;
