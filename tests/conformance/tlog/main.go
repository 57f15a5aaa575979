// tlog-check reads a running log over HTTP with the tile reader, the proofs and the signed notes of
// the Go project (golang.org/x/mod/sumdb), which share nothing with Stele, and says what does not
// hold.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"golang.org/x/mod/sumdb/tlog"
)

func main() {
	url := flag.String("log", "", "prefix of the log, http://127.0.0.1:7421")
	vkey := flag.String("vkey", "", "the log's vkey")
	state := flag.String("state", "", "file that remembers the last tree seen")
	content := flag.Bool("content", false, "fetch every record and manifest too")
	flag.Parse()
	log := &logReader{prefix: *url, vkey: *vkey, tiles: map[tlog.Tile][]byte{}}
	if err := check(log, *state, *content); err != nil {
		fmt.Fprintln(os.Stderr, "tlog-check:", err)
		os.Exit(1)
	}
}

func check(log *logReader, state string, content bool) error {
	tree, err := log.checkpoint()
	if err != nil {
		return err
	}
	hashes := tlog.TileHashReader(tree, log)
	root, err := tlog.TreeHash(tree.N, hashes)
	if err != nil {
		return err
	}
	if root != tree.Hash {
		return fmt.Errorf("the tiles lead to %v, the checkpoint says %v", root, tree.Hash)
	}
	old, err := checkGrowth(state, tree, hashes)
	if err != nil {
		return err
	}
	entries, err := log.entries(tree, hashes)
	if err != nil {
		return err
	}
	if err := checkProofs(tree, hashes, entries); err != nil {
		return err
	}
	if err := log.checkEdges(tree); err != nil {
		return err
	}
	contents := 0
	if content {
		if contents, err = log.checkContent(entries); err != nil {
			return err
		}
	}
	fmt.Printf("size %d, grown from %d, %d contents: agreed\n", tree.N, old, contents)
	return nil
}

// checkGrowth proves that the tree begins with the one seen last, and remembers this one.
func checkGrowth(state string, tree tlog.Tree, hashes tlog.HashReader) (int64, error) {
	var old tlog.Tree
	text, err := os.ReadFile(state)
	if err == nil {
		if err := json.Unmarshal(text, &old); err != nil {
			return 0, err
		}
		proof, err := tlog.ProveTree(tree.N, old.N, hashes)
		if err != nil {
			return 0, err
		}
		if err := tlog.CheckTree(proof, tree.N, tree.Hash, old.N, old.Hash); err != nil {
			return 0, fmt.Errorf("from %d to %d: %v", old.N, tree.N, err)
		}
	}
	text, err = json.Marshal(tree)
	if err != nil {
		return 0, err
	}
	return old.N, os.WriteFile(state, text, 0o600)
}

// checkProofs makes and checks the inclusion proofs of entries spread over the tree.
func checkProofs(tree tlog.Tree, hashes tlog.HashReader, entries [][]byte) error {
	step := tree.N/100 + 1
	for n := int64(0); n < tree.N; n += step {
		for _, index := range []int64{n, tree.N - 1 - n} {
			proof, err := tlog.ProveRecord(tree.N, index, hashes)
			if err != nil {
				return err
			}
			hash := tlog.RecordHash(entries[index])
			if err := tlog.CheckRecord(proof, tree.N, tree.Hash, index, hash); err != nil {
				return fmt.Errorf("entry %d: %v", index, err)
			}
		}
	}
	return nil
}
