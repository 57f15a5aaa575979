// Signs an in-toto statement as a DSSE envelope with Node's crypto alone, nothing of Stele's.
//   node sign.mjs KEY.pem PAYLOAD-FILE [ieee-p1363]   the envelope on stdout
import { createHash, createPrivateKey, createPublicKey, sign } from "node:crypto";
import { readFileSync } from "node:fs";

const [keyFile, payloadFile, encoding] = process.argv.slice(2);
const key = createPrivateKey(readFileSync(keyFile));
const payload = readFileSync(payloadFile);
const type = "application/vnd.in-toto+json";
const head = `DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `;
const toSign = Buffer.concat([Buffer.from(head), payload]);

const edwards = key.asymmetricKeyType === "ed25519";
const signature = edwards
  ? sign(null, toSign, key)
  : sign("sha256", toSign, encoding ? { key, dsaEncoding: encoding } : key);
const spki = createPublicKey(key).export({ type: "spki", format: "der" });
const keyid = createHash("sha256").update(spki).digest("hex");

process.stdout.write(JSON.stringify({
  payloadType: type,
  payload: payload.toString("base64url"),
  signatures: [{ keyid, sig: signature.toString("base64url") }],
}));
