<?php
declare(strict_types=1);

namespace App\Mail;

use InvalidArgumentException;

interface Sender
{
    public function send(string $to, string $text): bool;
}

final class Letter implements Sender
{
    private array $sent = [];
    public const LIMIT = 10;

    public function __construct(private readonly string $from, protected ?int $limit = null)
    {
        $this->limit ??= self::LIMIT;
    }

    public function send(string $to, string $text): bool
    {
        if (!filter_var($to, FILTER_VALIDATE_EMAIL)) {
            throw new InvalidArgumentException("no address: {$to}");
        }
        $this->sent[] = ['to' => $to, 'text' => trim($text) . "\n"];
        return count($this->sent) <= $this->limit;
    }
}

$letter = new Letter('me@example.org');
foreach (['a@example.org', 'b@example.org'] as $i => $to) {
    echo $letter->send($to, "Hello $i") ? 'sent' : 'full', PHP_EOL;
}
?>
<p>Done: <?= htmlspecialchars((string) $i) ?></p>
