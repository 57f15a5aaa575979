package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
)

const contentCaching = "public, max-age=86400"

type subject struct {
	Annotations struct{ Manifest string }
	Digest      struct{ Sha256 string }
}

// subjectsOf are the records of a publication; of other entries there are none.
func subjectsOf(leaf []byte) ([]subject, error) {
	var entry struct {
		Stele    string
		Envelope struct{ Payload string }
	}
	if err := json.Unmarshal(leaf, &entry); err != nil {
		return nil, err
	}
	if entry.Stele != "entry/v1" {
		return nil, fmt.Errorf("an entry of another version: %q", entry.Stele)
	}
	payload, err := base64.StdEncoding.DecodeString(entry.Envelope.Payload)
	if err != nil {
		return nil, err
	}
	var statement struct {
		PredicateType string
		Subject       []subject
	}
	if err := json.Unmarshal(payload, &statement); err != nil {
		return nil, err
	}
	if statement.PredicateType != "urn:stele:predicate:publication:v1" {
		return nil, nil
	}
	return statement.Subject, nil
}

// checkContent fetches every record and manifest that the entries publish; how many there are.
func (l *logReader) checkContent(entries [][]byte) (int, error) {
	kinds := map[string]bool{} // hex digest → is it a record
	for index, leaf := range entries {
		subjects, err := subjectsOf(leaf)
		if err != nil {
			return 0, fmt.Errorf("entry %d: %v", index, err)
		}
		for _, s := range subjects {
			manifest := strings.TrimPrefix(s.Annotations.Manifest, "sha256:")
			kinds[manifest] = kinds[manifest] || false
			kinds[s.Digest.Sha256] = true
		}
	}
	work := make(chan string)
	faults := make(chan error, 8)
	var group sync.WaitGroup
	for i := 0; i < cap(faults); i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			var fault error
			for digest := range work {
				if fault == nil {
					fault = l.checkOne(digest, kinds[digest])
				}
			}
			faults <- fault
		}()
	}
	for digest := range kinds {
		work <- digest
	}
	close(work)
	group.Wait()
	for i := 0; i < cap(faults); i++ {
		if err := <-faults; err != nil {
			return 0, err
		}
	}
	return len(kinds), nil
}

func (l *logReader) checkOne(digest string, record bool) error {
	body, err := l.fetch("content/"+digest, "application/octet-stream", contentCaching)
	if err != nil {
		return err
	}
	if sum := sha256.Sum256(body); hex.EncodeToString(sum[:]) != digest {
		return fmt.Errorf("content/%s has another digest", digest)
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil {
		return err
	}
	if record && (len(members) != 3 || members["apiVersion"] == nil || members["kind"] == nil ||
		members["spec"] == nil) {
		return errors.New("content/" + digest + " is no identity body")
	}
	return nil
}
