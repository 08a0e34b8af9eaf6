/** Programs that receive the events of one endpoint. They are code, so they are the same in every language of the portal. */
import type { ReceiverLanguage } from './languages.ts'
import type { Form } from './signature.ts'

export interface ReceiverNames {
  url: string
  events: readonly string[]
}

/** The program for one endpoint, with its path and its kinds of events filled in. */
export function receiver(language: ReceiverLanguage, form: Form, { url, events }: ReceiverNames): string {
  const filled = programs[language][form]
    .replaceAll('«url»', url)
    .replaceAll('«path»', pathOf(url))
    .replaceAll('«event»', events[0] ?? 'email.delivered')
  return `${filled.trim()}\n`
}

function pathOf(url: string): string {
  try {
    return new URL(url).pathname
  } catch {
    return '/'
  }
}

const typescript: Record<Form, string> = {
  plain: `
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const secret = process.env.POSTHOUSE_WEBHOOK_SECRET ?? '' // all of it, with whsec_

function isGenuine(rawBody: Buffer, signature: string): boolean {
  const expected = 'sha256=' + createHmac('sha256', secret).update(rawBody).digest('hex')
  return signature.length === expected.length && timingSafeEqual(Buffer.from(signature), Buffer.from(expected))
}

createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const rawBody = Buffer.concat(chunks)
  if (request.url !== '«path»' || !isGenuine(rawBody, String(request.headers['x-service-signature']))) {
    return response.writeHead(401).end()
  }
  response.writeHead(204).end() // acknowledge first, work afterwards
  const event = JSON.parse(rawBody.toString('utf8'))
  if (event.type === '«event»') console.log(event.messageId, event.recipient)
}).listen(Number(process.env.PORT ?? 4000))
`,
  standard: `
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'

const secret = process.env.POSTHOUSE_WEBHOOK_SECRET ?? ''
const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')

function isGenuine(rawBody: Buffer, headers: IncomingHttpHeaders): boolean {
  const id = String(headers['webhook-id'])
  const timestamp = String(headers['webhook-timestamp'])
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) < 300)) return false // too old
  const expected = 'v1,' + createHmac('sha256', key).update(id + '.' + timestamp + '.').update(rawBody).digest('base64')
  return String(headers['webhook-signature'])
    .split(' ')
    .some((one) => one.length === expected.length && timingSafeEqual(Buffer.from(one), Buffer.from(expected)))
}

createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const rawBody = Buffer.concat(chunks)
  if (request.url !== '«path»' || !isGenuine(rawBody, request.headers)) return response.writeHead(401).end()
  response.writeHead(204).end() // acknowledge first, work afterwards
  const event = JSON.parse(rawBody.toString('utf8'))
  if (event.type === '«event»') console.log(event.messageId, event.recipient)
}).listen(Number(process.env.PORT ?? 4000))
`,
}

const pythonServer = `
class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        raw_body = self.rfile.read(int(self.headers.get("content-length", 0)))
        genuine = self.path == "«path»" and is_genuine(raw_body, self.headers)
        self.send_response(204 if genuine else 401)
        self.end_headers()
        if not genuine:
            return
        event = json.loads(raw_body)
        if event["type"] == "«event»":
            print(event["messageId"], event["recipient"], flush=True)


HTTPServer(("", int(os.environ.get("PORT", 4000))), Receiver).serve_forever()
`

const python: Record<Form, string> = {
  plain: `
import hashlib
import hmac
import json
import os
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = os.environ["POSTHOUSE_WEBHOOK_SECRET"]  # all of it, with whsec_


def is_genuine(raw_body, headers):
    expected = "sha256=" + hmac.new(SECRET.encode(), raw_body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, headers.get("x-service-signature", ""))

${pythonServer}`,
  standard: `
import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

KEY = base64.b64decode(os.environ["POSTHOUSE_WEBHOOK_SECRET"].removeprefix("whsec_"))


def is_genuine(raw_body, headers):
    event_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "0")
    if abs(time.time() - int(timestamp)) > 300:
        return False  # too old
    signed = f"{event_id}.{timestamp}.".encode() + raw_body
    expected = "v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
    return any(hmac.compare_digest(expected, one) for one in headers.get("webhook-signature", "").split())

${pythonServer}`,
}

const phpEnd = `
$event = json_decode($rawBody, true);
if ($event['type'] === '«event»') {
    error_log($event['messageId'] . ' ' . $event['recipient']);
}
http_response_code(204);
`

const php: Record<Form, string> = {
  plain: `
<?php // «path»
$secret = getenv('POSTHOUSE_WEBHOOK_SECRET'); // all of it, with whsec_
$rawBody = file_get_contents('php://input');
$expected = 'sha256=' . hash_hmac('sha256', $rawBody, $secret);
if (!hash_equals($expected, $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '')) {
    http_response_code(401);
    exit;
}
${phpEnd}`,
  standard: `
<?php // «path»
$key = base64_decode(preg_replace('/^whsec_/', '', getenv('POSTHOUSE_WEBHOOK_SECRET')));
$rawBody = file_get_contents('php://input');
$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
$timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '0';
$expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$rawBody", $key, true));
$isGenuine = false;
foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $one) {
    if (hash_equals($expected, $one)) $isGenuine = true;
}
if (!$isGenuine || abs(time() - (int) $timestamp) > 300) {
    http_response_code(401);
    exit;
}
${phpEnd}`,
}

const goServer = `
func main() {
	http.HandleFunc("«path»", func(response http.ResponseWriter, request *http.Request) {
		rawBody, err := io.ReadAll(request.Body)
		if err != nil || !isGenuine(rawBody, request.Header) {
			response.WriteHeader(http.StatusUnauthorized)
			return
		}
		response.WriteHeader(http.StatusNoContent)
		var event struct{ Type, MessageId, Recipient string }
		if json.Unmarshal(rawBody, &event) == nil && event.Type == "«event»" {
			log.Println(event.MessageId, event.Recipient)
		}
	})
	port := os.Getenv("PORT")
	if port == "" {
		port = "4000"
	}
	log.Fatal(http.ListenAndServe(":"+port, nil))
}
`

const go: Record<Form, string> = {
  plain: `
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
)

var secret = os.Getenv("POSTHOUSE_WEBHOOK_SECRET") // all of it, with whsec_

func isGenuine(rawBody []byte, header http.Header) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(rawBody)
	expected := "sha256=" + hex.EncodeToString(mac.Sum(nil))
	return hmac.Equal([]byte(expected), []byte(header.Get("x-service-signature")))
}
${goServer}`,
  standard: `
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"log"
	"math"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

var key, _ = base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("POSTHOUSE_WEBHOOK_SECRET"), "whsec_"))

func isGenuine(rawBody []byte, header http.Header) bool {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || math.Abs(float64(time.Now().Unix()-seconds)) > 300 {
		return false // too old
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(rawBody)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, one := range strings.Fields(header.Get("webhook-signature")) {
		if hmac.Equal([]byte(expected), []byte(one)) {
			return true
		}
	}
	return false
}
${goServer}`,
}

const rubyServer = `
post "«path»" do
  raw_body = request.body.read
  halt 401 unless genuine?(raw_body, request.env)
  event = JSON.parse(raw_body)
  logger.info("#{event["messageId"]} #{event["recipient"]}") if event["type"] == "«event»"
  204
end
`

const ruby: Record<Form, string> = {
  plain: `
require "json"
require "openssl"
require "sinatra"

SECRET = ENV.fetch("POSTHOUSE_WEBHOOK_SECRET") # all of it, with whsec_

def genuine?(raw_body, env)
  expected = "sha256=" + OpenSSL::HMAC.hexdigest("SHA256", SECRET, raw_body)
  Rack::Utils.secure_compare(expected, env["HTTP_X_SERVICE_SIGNATURE"].to_s)
end
${rubyServer}`,
  standard: `
require "json"
require "openssl"
require "sinatra"

KEY = ENV.fetch("POSTHOUSE_WEBHOOK_SECRET").delete_prefix("whsec_").unpack1("m")

def genuine?(raw_body, env)
  id, timestamp = env["HTTP_WEBHOOK_ID"].to_s, env["HTTP_WEBHOOK_TIMESTAMP"].to_s
  return false if (Time.now.to_i - timestamp.to_i).abs > 300 # too old
  expected = "v1," + [OpenSSL::HMAC.digest("SHA256", KEY, "#{id}.#{timestamp}.#{raw_body}")].pack("m0")
  env["HTTP_WEBHOOK_SIGNATURE"].to_s.split.any? { |one| Rack::Utils.secure_compare(expected, one) }
end
${rubyServer}`,
}

/** The other direction: a signed request to the endpoint, to see what it answers. */
const curl: Record<Form, string> = {
  plain: String.raw`
body='{"type":"«event»","messageId":"em_test","recipient":"ann@example.org"}'
signature=$(printf %s "$body" | openssl dgst -sha256 -hmac "$POSTHOUSE_WEBHOOK_SECRET" -hex | sed 's/.* //')
curl -i '«url»' -H 'content-type: application/json' \
  -H 'x-service-event: «event»' -H "x-service-signature: sha256=$signature" -d "$body"
`,
  standard: String.raw`
body='{"type":"«event»","messageId":"em_test","recipient":"ann@example.org"}'
id=evt_test timestamp=$(date +%s)
key=$(printf %s "$POSTHOUSE_WEBHOOK_SECRET" | sed 's/^whsec_//' | openssl base64 -d -A | od -An -tx1 | tr -d ' \n')
signature=$(printf %s "$id.$timestamp.$body" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)
curl -i '«url»' -H 'content-type: application/json' -H "webhook-id: $id" \
  -H "webhook-timestamp: $timestamp" -H "webhook-signature: v1,$signature" -d "$body"
`,
}

const programs: Readonly<Record<ReceiverLanguage, Record<Form, string>>> = { typescript, python, php, go, ruby, curl }
