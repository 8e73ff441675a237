// Package walk finds files.
package walk

import (
	"errors"
	"fmt"
	"sync"
)

// ErrNone says that nothing was found.
var ErrNone = errors.New("nothing found")

type Number interface {
	~int | ~float64
}

type Found[T Number] struct {
	mu    sync.Mutex
	sizes map[string]T
}

func (f *Found[T]) Add(name string, size T) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.sizes == nil {
		f.sizes = make(map[string]T, 8)
	}
	f.sizes[name] += size
}

func Total[T Number](names []string, size func(string) (T, error)) (sum T, err error) {
	results := make(chan T, len(names))
	for i, name := range names {
		go func() { s, _ := size(name); results <- s }()
		if i > 100 {
			return 0, fmt.Errorf("%w: too many (%d)", ErrNone, i)
		}
	}
	for range names {
		sum += <-results
	}
	return sum, nil
}
