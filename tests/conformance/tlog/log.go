package main

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const (
	tileHeight = 8
	tileWidth  = 1 << tileHeight
	immutable  = "public, max-age=31536000, immutable"
)

// logReader is a tlog.TileReader over the paths of C2SP tlog-tiles.
type logReader struct {
	prefix, vkey string
	tiles        map[tlog.Tile][]byte // those that the tile reader found right
}

func (l *logReader) Height() int { return tileHeight }

func (l *logReader) SaveTiles(tiles []tlog.Tile, data [][]byte) {
	for i, tile := range tiles {
		l.tiles[tile] = data[i]
	}
}

func (l *logReader) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var data [][]byte
	for _, tile := range tiles {
		bytes, ok := l.tiles[tile]
		if !ok {
			var err error
			if bytes, err = l.fetch(tilePath(tile), "application/octet-stream", immutable); err != nil {
				return nil, err
			}
			if len(bytes) != tile.W*tlog.HashSize {
				return nil, fmt.Errorf("%s has %d bytes", tilePath(tile), len(bytes))
			}
		}
		data = append(data, bytes)
	}
	return data, nil
}

// tilePath: the Go project's paths name the height, those of tlog-tiles do not.
func tilePath(tile tlog.Tile) string {
	return strings.Replace(tile.Path(), fmt.Sprintf("tile/%d/", tileHeight), "tile/", 1)
}

// entriesPath: the Go project calls them data and has another form of them.
func entriesPath(number int64, width int) string {
	tile := tlog.Tile{H: tileHeight, L: -1, N: number, W: width}
	return strings.Replace(tilePath(tile), "tile/data/", "tile/entries/", 1)
}

func (l *logReader) get(path string) (*http.Response, []byte, error) {
	response, err := http.Get(l.prefix + "/" + path)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return response, body, err
}

func (l *logReader) fetch(path, contentType, cacheControl string) ([]byte, error) {
	response, body, err := l.get(path)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", path, response.Status)
	}
	if got := response.Header.Get("Content-Type"); got != contentType {
		return nil, fmt.Errorf("%s: content type %q", path, got)
	}
	if got := response.Header.Get("Cache-Control"); got != cacheControl {
		return nil, fmt.Errorf("%s: cache control %q", path, got)
	}
	return body, nil
}

func (l *logReader) checkpoint() (tlog.Tree, error) {
	verifier, err := note.NewVerifier(l.vkey)
	if err != nil {
		return tlog.Tree{}, err
	}
	text, err := l.fetch("checkpoint", "text/plain; charset=utf-8", "no-store")
	if err != nil {
		return tlog.Tree{}, err
	}
	opened, err := note.Open(text, note.VerifierList(verifier))
	if err != nil {
		return tlog.Tree{}, err
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) < 4 || lines[0] != verifier.Name() {
		return tlog.Tree{}, fmt.Errorf("no checkpoint of %s: %q", verifier.Name(), opened.Text)
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil {
		return tlog.Tree{}, err
	}
	root, err := base64.StdEncoding.DecodeString(lines[2])
	if err != nil || len(root) != tlog.HashSize {
		return tlog.Tree{}, errors.New("the root is no hash")
	}
	tree := tlog.Tree{N: size}
	copy(tree.Hash[:], root)
	return tree, nil
}

// entries are all entries of the tree, each with the hash that the verified tiles say.
func (l *logReader) entries(tree tlog.Tree, hashes tlog.HashReader) ([][]byte, error) {
	var all [][]byte
	for int64(len(all)) < tree.N {
		begin := int64(len(all))
		width := tileWidth
		if tree.N-begin < tileWidth {
			width = int(tree.N - begin)
		}
		path := entriesPath(begin/tileWidth, width)
		bundle, err := l.fetch(path, "application/octet-stream", immutable)
		if err != nil {
			return nil, err
		}
		var indexes []int64
		for i := 0; i < width; i++ {
			if len(bundle) < 2 || len(bundle) < 2+int(bundle[0])<<8+int(bundle[1]) {
				return nil, fmt.Errorf("%s ends within entry %d", path, i)
			}
			length := int(bundle[0])<<8 + int(bundle[1])
			all = append(all, bundle[2:2+length])
			bundle = bundle[2+length:]
			indexes = append(indexes, tlog.StoredHashIndex(0, begin+int64(i)))
		}
		if len(bundle) != 0 {
			return nil, fmt.Errorf("%s has %d bytes too many", path, len(bundle))
		}
		want, err := hashes.ReadHashes(indexes)
		if err != nil {
			return nil, err
		}
		for i := range want {
			if tlog.RecordHash(all[begin+int64(i)]) != want[i] {
				return nil, fmt.Errorf("entry %d is not the one in the tree", begin+int64(i))
			}
		}
	}
	return all, nil
}

// checkEdges: the tile after the last, wider ones and empty ones do not exist.
func (l *logReader) checkEdges(tree tlog.Tree) error {
	for level := 0; level < 8; level++ {
		count := tree.N >> (tileHeight * level)
		number, width := count/tileWidth, int(count%tileWidth)
		for _, path := range []string{
			tilePath(tlog.Tile{H: tileHeight, L: level, N: number, W: width + 1}),
			tilePath(tlog.Tile{H: tileHeight, L: level, N: number + 1, W: 1}),
			fmt.Sprintf("tile/%d/000.p/0", level),
			entriesPath(tree.N/tileWidth, int(tree.N%tileWidth)+1),
		} {
			response, _, err := l.get(path)
			if err != nil {
				return err
			}
			if response.StatusCode != http.StatusNotFound {
				return fmt.Errorf("%s, which does not exist: %s", path, response.Status)
			}
		}
	}
	return nil
}
