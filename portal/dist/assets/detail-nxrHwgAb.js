import{r as e}from"./rolldown-runtime-XKyaHtl9.js";import{a as t,o as n}from"./react-DX0dg-6H.js";import{_ as r}from"./tanstack-BS0K1Bpx.js";import{L as i,N as a,f as o,p as s,w as c,z as l}from"./passkeys--EgTx5Bb.js";import{c as ee,l as u,m as te,n as d,o as ne,r as re,s as f,u as p}from"./text-5ix9y13L.js";import{a as ie,c as ae,f as oe,g as m,i as h,m as se,n as ce,p as g,s as le,u as ue}from"./replay-all-sD7bXR78.js";import{a as _,s as de}from"./empty-Qjgsx1nD.js";import{v as fe}from"./page-Cn3KOXhI.js";import{C as v,D as pe,E as y,N as me,O as he,S as b,W as x,at as ge,d as _e,o as ve,st as ye,t as be,u as S,w as xe,y as Se}from"./main-CgASFlnM.js";import{a as C,i as Ce,r as w}from"./format-f6fpN9T3.js";import{t as we}from"./now-DEpaOX-u.js";import{t as T}from"./facts-CbBKiJ2N.js";import{n as E}from"./time-DiVo-OOj.js";import{t as D}from"./card-ClxChSH8.js";import{t as Te}from"./detail-page-ogcjwtIc.js";import{n as Ee,t as De}from"./tabs-CkFb1RUg.js";import{a as Oe,i as ke}from"./choice-C9rkz_WT.js";import{t as Ae}from"./deliveries-Bcsa16dK.js";import{a as O,n as je,r as Me,t as Ne}from"./endpoint-fields-DJZ--wIP.js";var k=e(n(),1),A={plain:`x-service-signature`,standard:`webhook-signature`},j=new TextEncoder,Pe=`whsec_`,Fe=()=>globalThis.crypto?.subtle!==void 0,M=e=>j.encode(e);function N(e){try{return Uint8Array.from(atob(P(e)),e=>e.codePointAt(0)??0)}catch{return}}var P=e=>e.startsWith(`whsec_`)?e.slice(6):e;async function F(e,t){let n=await crypto.subtle.importKey(`raw`,e,{name:`HMAC`,hash:`SHA-256`},!1,[`sign`]);return new Uint8Array(await crypto.subtle.sign(`HMAC`,n,j.encode(t)))}var Ie=async e=>new Uint8Array(await crypto.subtle.digest(`SHA-256`,j.encode(e))),I=e=>[...e].map(e=>e.toString(16).padStart(2,`0`)).join(``),L=e=>btoa(String.fromCodePoint(...e)),R=(e,{body:t,id:n,timestamp:r})=>e===`plain`?t:`${n}.${r}.${t}`;async function Le(e,t,n){let r=e===`plain`?j.encode(t):N(t);if(r===void 0||r.length===0)return;let i=await F(r,R(e,n));return e===`plain`?`sha256=${I(i)}`:`v1,${L(i)}`}function Re(e){let t=e.trim().startsWith(`{`)?ze(e):e.split(`
`),n=new Map;for(let e of t){let[,t,r]=/^[<>\s"']*([a-z0-9_-]+)["']?\s*[:=]\s*["']?(.*?)["',]*\s*$/i.exec(e)??[],[i]=/^\s*(sha256=[0-9a-f]{64}|v1,\S+( v1,\S+)*)\s*$/i.exec(e)??[];i===void 0?t!==void 0&&r!==void 0&&n.set(Be(t),r):n.set(i.startsWith(`v1,`)?A.standard:A.plain,i.trim())}return n}function ze(e){try{return Object.entries(JSON.parse(e)).map(([e,t])=>`${e}: ${String(t)}`)}catch{return e.split(`
`)}}var Be=e=>e.toLowerCase().replaceAll(`_`,`-`).replace(/^http-/,``),Ve=300;async function He(e){let t=Re(e.headers),n={body:e.body,id:t.get(`webhook-id`)??``,timestamp:t.get(`webhook-timestamp`)??``},r=await We(e,t,n),i=`form`in r?r.form:t.has(A.plain)?`plain`:`standard`,a=e.computed.trim()===``?void 0:await Ke(e,n,i);return{request:r,oldSeconds:Ue(n.timestamp,e.now),mistakes:a===void 0?void 0:a?.mistakes??null,form:a?.form??i,used:Qe(e)}}function Ue(e,t){let n=Math.round(t/1e3-Number(e));return e!==``&&n>Ve?n:void 0}async function We(e,t,n){let r=[`plain`,`standard`].filter(e=>t.has(A[e]));if(r.length===0)return{kind:`no_signature`};for(let i of r){let r=t.get(A[i])??``,a=async(e,t)=>r.split(/\s+/).includes(await Le(i,e,{...n,body:t})??``);if(await a(e.secret,n.body))return{kind:`genuine`,form:i};for(let{body:t,mistake:r}of z(n.body))if(await a(e.secret,t))return{kind:r,form:i};for(let t of e.earlier)for(let e of[n.body,...z(n.body).map(e=>e.body)])if(await a(t,e))return{kind:`earlier_secret`}}return r.every(e=>Ge(e,t.get(A[e])??``))?{kind:`other_header`}:!r.includes(`plain`)&&(n.id===``||n.timestamp===``)?{kind:`no_parts`}:n.timestamp!==``&&Number(n.timestamp)*1e3<Date.parse(e.since)?{kind:`earlier_secret`}:{kind:`not_genuine`}}var Ge=(e,t)=>e===`plain`?t.startsWith(`v1,`):/^(sha256=)?[0-9a-f]{64}$/i.test(t);function z(e){let t=e.trim(),n=B(e);return[...t===e?[]:[{body:t,mistake:`line_break`}],...n===void 0||n===t?[]:[{body:n,mistake:`body_rewritten`}]]}function B(e){try{return JSON.stringify(JSON.parse(e))}catch{return}}async function Ke(e,t,n){let r=e.computed.trim().replace(/^["']|["',;]+$/g,``),i=[n,n===`plain`?`standard`:`plain`],a;for(let n of i)for(let i of qe(n,e))for(let e of Je(t.body))for(let o of Xe(n)){let s=[...i.mistakes,...e.mistakes,...o.mistakes],c=R(o.value,{...t,body:e.value}),l=i.value===void 0?await Ie(c):await F(i.value,c);for(let e of Ze(n,l)){let t=[...s,...e.mistakes];e.value.toLowerCase()===r.toLowerCase()&&(a===void 0||t.length<a.mistakes.length)&&(a={mistakes:t,form:n})}}if(a===void 0)return null;let o=a.mistakes.length>1?a.mistakes.filter(e=>e!==`prefix_left_out`):a.mistakes;return{...a,mistakes:o}}function qe(e,{secret:t,earlier:n}){let r=M(t),i=N(t),[a,o]=e===`plain`?[r,i]:[i,r],s=n.map(t=>e===`plain`?M(t):N(t));return[{value:a,mistakes:[]},{value:M(P(t)),mistakes:[`key_without_prefix`]},{value:o,mistakes:[e===`plain`?`key_decoded`:`key_not_decoded`]},...[`${t}\n`,`${t} `,` ${t}`,`"${t}"`].map(e=>({value:M(e),mistakes:[`key_with_space`]})),...s.map(e=>({value:e,mistakes:[`key_earlier`]})),{value:void 0,mistakes:[`no_key`]}]}function Je(e){let t=[{value:e,mistakes:[]}],n=(e,n)=>{t.some(t=>t.value===e)||t.push({value:e,mistakes:[n]})};n(e.trim(),`line_break`),n(`${e.trim()}\n`,`line_break`);let r=B(e);if(r===void 0)return t;let i=JSON.parse(r);return n(r,`body_rewritten`),n(JSON.stringify(i,void 0,2),`body_rewritten`),n(JSON.stringify(i,void 0,4),`body_rewritten`),n(V(r),`body_rewritten`),n(H(V(r)),`body_rewritten`),n(H(r),`body_rewritten`),n(H(r).replaceAll(`/`,String.raw`\/`),`body_rewritten`),n(Ye(i),`body_rewritten`),t}var V=e=>e.replaceAll(/"(?:[^"\\]|\\.)*"|[,:]/g,e=>e===`,`||e===`:`?`${e} `:e),H=e=>e.replaceAll(/[\u0080-\uffff]/g,e=>`\\u${e.codePointAt(0)?.toString(16).padStart(4,`0`)}`),Ye=e=>JSON.stringify(e,(e,t)=>typeof t==`object`&&t&&!Array.isArray(t)?Object.fromEntries(Object.entries(t).toSorted(([e],[t])=>e<t?-1:1)):t),Xe=e=>[{value:e,mistakes:[]},{value:e===`plain`?`standard`:`plain`,mistakes:[`other_content`]}];function Ze(e,t){let n=I(t),r=L(t);return e===`plain`?[{value:`sha256=${n}`,mistakes:[]},{value:n,mistakes:[`prefix_left_out`]},{value:r,mistakes:[`base64_not_hex`]},{value:`sha256=${r}`,mistakes:[`base64_not_hex`]}]:[{value:`v1,${r}`,mistakes:[]},{value:r,mistakes:[`prefix_left_out`]},{value:n,mistakes:[`hex_not_base64`]},{value:`v1,${n}`,mistakes:[`hex_not_base64`]}]}function Qe({used:e,secret:t,earlier:n}){if(e===``)return;if(e===t)return`right`;let r=e.trim().replaceAll(/^["']|["']$/g,``);return r===t?`with_space`:`whsec_${r}`===t?`without_prefix`:n.includes(r)?`earlier`:`other`}var U=t(),W=m.check;function $e({secret:e}){let[t,n]=(0,k.useState)(),r=_e({start:{body:``,headers:``,computed:``,used:``},send:async t=>He({...t,...await e.forCheck(),now:Date.now()}),onDone:n});return(0,U.jsx)(D,{title:W.title,children:(0,U.jsxs)(u,{children:[(0,U.jsx)(f,{children:W.sentence}),Fe()?(0,U.jsxs)(S,{form:r,submit:W.check,isWide:!0,children:[(0,U.jsx)(o,{label:W.body,...r.field(`body`),rows:4,isMono:!0}),(0,U.jsx)(o,{label:W.headers,...r.field(`headers`),hint:W.headersHint,rows:4,isMono:!0}),(0,U.jsx)(s,{label:W.computed,...r.field(`computed`),hint:W.computedHint,autoComplete:`off`,isMono:!0,isOptional:!0}),(0,U.jsx)(s,{label:W.used,...r.field(`used`),autoComplete:`off`,isMono:!0,isOptional:!0}),(0,U.jsx)(f,{isSmall:!0,children:W.needsSecret})]}):(0,U.jsx)(c,{tone:`warn`,children:W.insecure}),(0,U.jsx)(`div`,{role:`status`,children:t!==void 0&&(0,U.jsx)(et,{diagnosis:t})})]})})}function et({diagnosis:{request:e,oldSeconds:t,mistakes:n,used:r}}){return(0,U.jsxs)(u,{children:[(0,U.jsx)(c,{tone:e.kind===`genuine`?`ok`:`bad`,title:W.result,children:W.request[e.kind]}),t!==void 0&&(0,U.jsx)(c,{tone:`warn`,children:W.old(w(t*1e3))}),r!==void 0&&(0,U.jsx)(c,{tone:r===`right`?`ok`:`bad`,children:W.used_[r]}),n===null&&(0,U.jsx)(c,{tone:`bad`,children:W.codeUnknown}),n!==null&&n?.length===0&&(0,U.jsx)(c,{tone:`ok`,children:W.codeRight}),n?.map(e=>(0,U.jsx)(c,{tone:e===`prefix_left_out`?`info`:`bad`,children:W.mistakes[e]},e))]})}function tt({endpoint:e,project:t,isOpen:n,onClose:r}){let i=g(),a=m.edit,o=_e({start:Me(e),send:n=>i.run({project:t,params:{id:e.id},body:je(n)}),onDone:()=>{b({text:a.saved}),r()}});return(0,U.jsx)(pe,{title:a.title,isOpen:n,onClose:r,children:(0,U.jsx)(S,{form:o,submit:a.save,isWide:!0,children:(0,U.jsx)(Ne,{form:o})})})}function nt({endpoint:e,project:t,isOpen:n,onClose:r}){let i=l(),a=ue(),o=m.remove;return(0,U.jsx)(y,{title:o.title,action:o.action,isOpen:n,onClose:r,onConfirm:async()=>{await a.run({project:t,params:{id:e.id}}),b({text:o.done}),i(x.webhooks(t))},children:o.sentence})}var G=m,rt=({endpoint:e,project:t})=>(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(D,{title:G.facts.title,children:(0,U.jsxs)(u,{children:[t.can(`webhooks:write`)&&(0,U.jsx)(it,{endpoint:e,project:t.id}),(0,U.jsx)(T,{facts:[{name:G.facts.url,value:(0,U.jsx)(d,{text:e.url})},e.description!==null&&{name:G.facts.description,value:(0,U.jsx)(d,{text:e.description})},{name:G.facts.added,value:(0,U.jsx)(E,{at:e.createdAt,form:`short`})},{name:G.facts.id,value:(0,U.jsx)(be,{id:e.id})}]})]})}),(0,U.jsx)(at,{endpoint:e}),(0,U.jsx)(D,{title:G.facts.events,children:(0,U.jsx)(u,{children:e.events.map(e=>(0,U.jsxs)(u,{isTight:!0,children:[(0,U.jsx)(ne,{children:e}),(0,U.jsx)(f,{isSmall:!0,children:O(e)})]},e))})})]});function it({endpoint:e,project:t}){let n=g();return(0,U.jsx)(Oe,{label:G.enabledSwitch,name:`enabled`,value:e.enabled,onChange:r=>void n.run({project:t,params:{id:e.id},body:{enabled:r}}).catch(v),hint:G.enabledHint,isDisabled:n.isBusy})}var at=({endpoint:{health:e}})=>(0,U.jsx)(D,{title:G.health.title,children:(0,U.jsx)(T,{facts:[{name:G.health.rateName,value:e.successRate24h===null?G.health.nothing:C(e.successRate24h)},e.p95Ms!==null&&{name:G.health.p95Name,value:w(e.p95Ms)},{name:G.health.lastDelivered,value:(0,U.jsx)(E,{at:e.lastDeliveredAt})},e.failingSince!==null&&{name:G.health.failingSince,value:(0,U.jsx)(E,{at:e.failingSince})},{name:G.health.waiting,value:Ce(e.pending)}]})});function ot(e,t,{url:n,events:r}){return`${ft[e][t].replaceAll(`«url»`,n).replaceAll(`«path»`,st(n)).replaceAll(`«event»`,r[0]??`email.delivered`).trim()}\n`}function st(e){try{return new URL(e).pathname}catch{return`/`}}var ct={plain:`
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
`,standard:`
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
`},K=`
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
`,lt={plain:`
import hashlib
import hmac
import json
import os
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = os.environ["POSTHOUSE_WEBHOOK_SECRET"]  # all of it, with whsec_


def is_genuine(raw_body, headers):
    expected = "sha256=" + hmac.new(SECRET.encode(), raw_body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, headers.get("x-service-signature", ""))

${K}`,standard:`
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

${K}`},q=`
$event = json_decode($rawBody, true);
if ($event['type'] === '«event»') {
    error_log($event['messageId'] . ' ' . $event['recipient']);
}
http_response_code(204);
`,ut={plain:`
<?php // «path»
$secret = getenv('POSTHOUSE_WEBHOOK_SECRET'); // all of it, with whsec_
$rawBody = file_get_contents('php://input');
$expected = 'sha256=' . hash_hmac('sha256', $rawBody, $secret);
if (!hash_equals($expected, $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '')) {
    http_response_code(401);
    exit;
}
${q}`,standard:`
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
${q}`},J=`
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
`,dt={plain:`
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
${J}`,standard:`
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
${J}`},Y=`
post "«path»" do
  raw_body = request.body.read
  halt 401 unless genuine?(raw_body, request.env)
  event = JSON.parse(raw_body)
  logger.info("#{event["messageId"]} #{event["recipient"]}") if event["type"] == "«event»"
  204
end
`,ft={typescript:ct,python:lt,php:ut,go:dt,ruby:{plain:`
require "json"
require "openssl"
require "sinatra"

SECRET = ENV.fetch("POSTHOUSE_WEBHOOK_SECRET") # all of it, with whsec_

def genuine?(raw_body, env)
  expected = "sha256=" + OpenSSL::HMAC.hexdigest("SHA256", SECRET, raw_body)
  Rack::Utils.secure_compare(expected, env["HTTP_X_SERVICE_SIGNATURE"].to_s)
end
${Y}`,standard:`
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
${Y}`},curl:{plain:String.raw`
body='{"type":"«event»","messageId":"em_test","recipient":"ann@example.org"}'
signature=$(printf %s "$body" | openssl dgst -sha256 -hmac "$POSTHOUSE_WEBHOOK_SECRET" -hex | sed 's/.* //')
curl -i '«url»' -H 'content-type: application/json' \
  -H 'x-service-event: «event»' -H "x-service-signature: sha256=$signature" -d "$body"
`,standard:String.raw`
body='{"type":"«event»","messageId":"em_test","recipient":"ann@example.org"}'
id=evt_test timestamp=$(date +%s)
key=$(printf %s "$POSTHOUSE_WEBHOOK_SECRET" | sed 's/^whsec_//' | openssl base64 -d -A | od -An -tx1 | tr -d ' \n')
signature=$(printf %s "$id.$timestamp.$body" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)
curl -i '«url»' -H 'content-type: application/json' -H "webhook-id: $id" \
  -H "webhook-timestamp: $timestamp" -H "webhook-signature: v1,$signature" -d "$body"
`}},X=m.receivers;function pt({endpoint:e}){let[{language:t=`typescript`}]=fe(ge),[n,r]=(0,k.useState)(`plain`);return(0,U.jsx)(D,{title:X.title,isFlush:!0,children:(0,U.jsx)(Ee,{label:X.label,parameter:`language`,tabs:ye.map(e=>({name:e,label:X.languages[e]})),selected:t,children:(0,U.jsxs)(u,{children:[(0,U.jsx)(De,{label:X.form,options:[`plain`,`standard`].map(e=>({value:e,label:X.forms[e]})),value:n,onChange:r}),(0,U.jsx)(_,{text:ot(t,n,e),label:X.code(X.languages[t])}),(0,U.jsx)(f,{isSmall:!0,children:X.sentence})]})})})}var Z=m.secret;function mt({secret:e}){let[t,n]=(0,k.useState)(!1),[r,i]=(0,k.useState)(!1),o=async()=>{n(!0),await e.show().then(()=>b({text:Z.shown}),v),n(!1)};return(0,U.jsxs)(D,{title:Z.title,children:[(0,U.jsxs)(u,{children:[(0,U.jsx)(f,{children:Z.sentence}),e.shown===void 0?(0,U.jsxs)(`div`,{children:[(0,U.jsxs)(ne,{children:[Pe,(0,U.jsx)(`span`,{"aria-hidden":`true`,children:`•`.repeat(24)})]}),(0,U.jsx)(re,{children:Z.dots})]}):(0,U.jsx)(ht,{shown:e.shown}),(0,U.jsxs)(ee,{children:[e.shown===void 0?(0,U.jsx)(a,{icon:`eye`,isBusy:t,onClick:()=>void o(),children:Z.show}):(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(de,{text:e.shown.secret,label:Z.copy,tone:`main`}),(0,U.jsx)(a,{onClick:e.hide,children:Z.hide})]}),(0,U.jsx)(a,{icon:`refresh`,onClick:()=>i(!0),children:Z.rotate})]}),(0,U.jsx)(f,{isSmall:!0,children:Z.logged})]}),(0,U.jsx)(y,{title:Z.rotateTitle,action:Z.rotateAction,tone:`main`,isOpen:r,onClose:()=>i(!1),onConfirm:async()=>{await e.rotate(),b({text:Z.rotated})},children:(0,U.jsxs)(u,{isTight:!0,children:[(0,U.jsx)(`span`,{children:Z.rotateSentence}),(0,U.jsx)(`span`,{children:Z.rotateBoth})]})})]})}function ht({shown:{secret:e,earlier:t,since:n,validUntil:r,until:i}}){let a=we();return(0,U.jsxs)(u,{isTight:!0,children:[t!==void 0&&(0,U.jsx)(p,{children:Z.new}),(0,U.jsx)(_,{text:e,label:t===void 0?Z.current:Z.new,wraps:!0,copyLabel:null}),t!==void 0&&(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(p,{children:Z.old}),(0,U.jsx)(_,{text:t,label:Z.old,wraps:!0,copyLabel:te.copyThing(Z.old)})]}),(0,U.jsxs)(f,{isSmall:!0,children:[Z.goneIn(w(Math.max(1,Math.ceil((i-a)/1e3))*1e3)),` `,n!==void 0&&(0,U.jsxs)(U.Fragment,{children:[Z.since,` `,(0,U.jsx)(E,{at:n,form:`short`}),`.`]}),` `,r!==void 0&&(0,U.jsxs)(U.Fragment,{children:[Z.earlier,` `,(0,U.jsx)(E,{at:r,form:`short`}),`.`]})]})]})}var Q=m.test;function gt({endpoint:e,project:t}){let n=oe(),[r,i]=(0,k.useState)(e.events[0]??`email.delivered`),[o,s]=(0,k.useState)(),[c,l]=(0,k.useState)(),ee=async()=>{l(void 0),s(void 0);try{s((await n.run({project:t,params:{id:e.id},body:{type:r}})).id)}catch(e){l(e)}};return(0,U.jsx)(D,{title:Q.title,children:(0,U.jsxs)(u,{children:[(0,U.jsx)(f,{children:Q.sentence}),(0,U.jsx)(ke,{label:Q.kind,name:`kind`,value:r,onChange:i,options:e.events.map(e=>({value:e,label:e})),hint:O(r)}),(0,U.jsx)(`div`,{children:(0,U.jsx)(a,{tone:`main`,icon:`send`,isBusy:n.isBusy,onClick:()=>void ee(),children:Q.action})}),c!==void 0&&(0,U.jsx)(xe,{error:c}),o!==void 0&&(0,U.jsx)(_t,{project:t,id:e.id,delivery:o})]})})}function _t({project:e,id:t,delivery:n}){let{data:a}=r({...ce(e,t,n),refetchInterval:vt}),o=a?.attempts.at(-1);return(0,U.jsxs)(u,{children:[(0,U.jsx)(`div`,{role:`status`,children:o===void 0?(0,U.jsx)(c,{tone:`info`,children:Q.waiting}):(0,U.jsx)(yt,{attempt:o})}),o!==void 0&&(o.answer===null||o.answer===``?(0,U.jsx)(f,{isSmall:!0,children:Q.noBody}):(0,U.jsx)(_,{text:o.answer,label:Q.body,wraps:!0})),(0,U.jsx)(i,{to:x.delivery(e,t,n),children:Q.open})]})}var vt=({state:{data:e}})=>e===void 0||e.attempts.length===0?500:!1,yt=({attempt:{status:e,durationMs:t,error:n}})=>(0,U.jsx)(c,{tone:n===null?`ok`:`bad`,title:e===null?Q.failed(w(t)):Q.answered(e,w(t)),children:n??``}),bt=6e4;function xt(e,t){let[n,r]=(0,k.useState)(()=>St(t)),[i,a]=(0,k.useState)([]),o=e=>r({...e,until:Date.now()+bt});return(0,k.useEffect)(()=>{if(n===void 0)return;let e=setTimeout(r,n.until-Date.now(),void 0);return()=>clearTimeout(e)},[n]),{shown:n,hide:()=>r(void 0),show:async()=>{let{secret:n,since:r,previous:i}=await h(e,t);o({secret:n,since:r,earlier:void 0,validUntil:i[0]?.validUntil})},rotate:async()=>{let n=await le(e,t);a(e=>[n.earlier,...e]),o({...n,since:void 0,validUntil:void 0})},forCheck:async()=>{let{secret:n,since:r}=await h(e,t);return{secret:n,since:r,earlier:i}}}}function St(e){let t=ie(e);if(t!==void 0)return{secret:t,earlier:void 0,since:void 0,validUntil:void 0,until:Date.now()+bt}}var $=m;function Ct(){let e=me(),t=he(`webhookId`),n=r(se(e.id,t));Se(n.data&&`webhook:${t}`,[`GET /webhooks/:id`,`GET /webhooks/:id/deliveries`]);let i=xt(e.id,t),[a,o]=(0,k.useState)(),s=e.can(`webhooks:write`),c=()=>o(void 0),l=s?[{label:$.edit.action,icon:`edit`,run:()=>o(`edit`)},{label:$.remove.action,icon:`bin`,tone:`bad`,place:`menu`,run:()=>o(`delete`)}]:[];return(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(Te,{path:[{label:$.title,to:x.webhooks(e.id)}],id:t,query:n,title:({url:e})=>e,status:e=>(0,U.jsx)(wt,{endpoint:e}),note:Tt,actions:()=>l,above:t=>!t.enabled&&(0,U.jsx)(Et,{endpoint:t,project:e.id,mayChange:s}),aside:t=>(0,U.jsx)(rt,{endpoint:t,project:e}),children:t=>(0,U.jsxs)(U.Fragment,{children:[s&&(0,U.jsx)(mt,{secret:i}),s&&(0,U.jsx)(gt,{endpoint:t,project:e.id}),(0,U.jsx)(Ae,{endpoint:t,project:e}),s&&(0,U.jsx)($e,{secret:i}),(0,U.jsx)(pt,{endpoint:t})]})}),n.data!==void 0&&s&&(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(tt,{endpoint:n.data,project:e.id,isOpen:a===`edit`,onClose:c},`edit-${a}`),(0,U.jsx)(nt,{endpoint:n.data,project:e.id,isOpen:a===`delete`,onClose:c})]})]})}function wt({endpoint:e}){let{tone:t,word:n}=ae(e);return(0,U.jsx)(ve,{tone:t,children:n})}var Tt=({health:e})=>[e.successRate24h===null?void 0:$.health.rate(C(e.successRate24h)),e.p95Ms===null?void 0:$.health.p95(w(e.p95Ms))].filter(e=>e!==void 0).join(` · `);function Et({endpoint:e,project:t,mayChange:n}){let r=g();return(0,U.jsx)(c,{tone:`warn`,title:$.disabledWhy,actions:n&&(0,U.jsx)(a,{isBusy:r.isBusy,onClick:()=>void r.run({project:t,params:{id:e.id},body:{enabled:!0}}).catch(v),children:$.enable}),children:e.disabledReason??$.disabledByPerson})}export{Ct as Page};