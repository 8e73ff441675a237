#!/usr/bin/perl
# A sample: packages, hashes, patterns, here-documents.
package Shop::Till;
use strict;
our $VERSION = '1.02';
my %prices = (apple => 3, pear => 4.5, 'fig tree' => 120);

sub new {
    my ($class, %args) = @_;
    my $self = { items => [], owner => $args{owner} || 'nobody' };
    return bless $self, $class;
}

sub add {
    my ($self, $name, $count) = @_;
    die "no such thing: $name\n" unless exists $prices{$name};
    push @{ $self->{items} }, [$name, $count // 1];
    return $self;
}
sub total {
    my $self = shift;
    my $all = 0;
    foreach my $item (@{ $self->{items} }) {
        my ($name, $count) = @$item;
        $all += $prices{$name} * $count;
    }
    return $all;
}
package main;
my $till = Shop::Till->new(owner => 'me');
$till->add('apple', 2)->add('pear');
while (my ($name, $price) = each %prices) {
    if ($name =~ /^(\w+)\s+tree$/i) {
        (my $short = $name) =~ s/\s.*//;
    } elsif ($price > 4) {
        printf "%-10s %5.2f\n", $name, $price;
    }
}
my @sorted = sort { $prices{$a} <=> $prices{$b} } keys %prices;
print join(', ', map { ucfirst } grep { length > 3 } @sorted), "\n";
print <<"END";
Total: @{[ $till->total ]}
END
1;

=head1 NAME

=cut
