import{n as e}from"./rolldown-runtime-WkwZ5CU-.js";import{a as t,o as n}from"./react-Croowog0.js";import{_ as r}from"./tanstack-BXXYJ8YJ.js";import{C as i,f as a,p as o}from"./passkeys-0kH2q8jj.js";import{E as s,S as c,b as l,f as ee,h as te,m as u,o as d,u as ne,v as f,x as p,y as m}from"./field.module-JcSEsVYq.js";import{C as h,J as re,it as ie,n as g,nt as _,r as v,u as ae}from"./toast-K45JJS5w.js";import{a as oe,c as se,f as ce,g as y,i as b,m as le,n as ue,p as x,s as de,u as fe}from"./replay-all-DJTXvzgR.js";import{E as pe,O as me,f as he,g as ge,h as _e,m as S,o as C,s as w,t as ve}from"./main-CId7w5FB.js";import{a as T,i as ye,r as E}from"./format-BaRKjrdr.js";import{i as be,n as D}from"./time-CNdlt5Po.js";import{t as O}from"./facts-6MC1t34q.js";import{t as xe}from"./badge-LHs3x9J3.js";import{t as k}from"./card-kCHfTtQj.js";import{t as Se}from"./detail-page-Pk54hIv5.js";import{n as Ce,t as we}from"./tabs-BC4vGXdV.js";import{a as Te,i as Ee}from"./choice-CV7wjoKW.js";import{t as De}from"./deliveries-C5doIYiN.js";import{a as A,n as Oe,r as ke,t as Ae}from"./endpoint-fields-De__la0U.js";var j=e(n(),1),M={plain:`x-service-signature`,standard:`webhook-signature`},N=new TextEncoder,je=`whsec_`,Me=()=>globalThis.crypto?.subtle!==void 0,P=e=>N.encode(e);function F(e){try{return Uint8Array.from(atob(I(e)),e=>e.codePointAt(0)??0)}catch{return}}var I=e=>e.startsWith(`whsec_`)?e.slice(6):e;async function L(e,t){let n=await crypto.subtle.importKey(`raw`,e,{name:`HMAC`,hash:`SHA-256`},!1,[`sign`]);return new Uint8Array(await crypto.subtle.sign(`HMAC`,n,N.encode(t)))}var Ne=async e=>new Uint8Array(await crypto.subtle.digest(`SHA-256`,N.encode(e))),R=e=>[...e].map(e=>e.toString(16).padStart(2,`0`)).join(``),z=e=>btoa(String.fromCodePoint(...e)),B=(e,{body:t,id:n,timestamp:r})=>e===`plain`?t:`${n}.${r}.${t}`;async function Pe(e,t,n){let r=e===`plain`?N.encode(t):F(t);if(r===void 0||r.length===0)return;let i=await L(r,B(e,n));return e===`plain`?`sha256=${R(i)}`:`v1,${z(i)}`}function Fe(e){let t=e.trim().startsWith(`{`)?Ie(e):e.split(`
`),n=new Map;for(let e of t){let[,t,r]=/^[<>\s"']*([a-z0-9_-]+)["']?\s*[:=]\s*["']?(.*?)["',]*\s*$/i.exec(e)??[],[i]=/^\s*(sha256=[0-9a-f]{64}|v1,\S+( v1,\S+)*)\s*$/i.exec(e)??[];i===void 0?t!==void 0&&r!==void 0&&n.set(Le(t),r):n.set(i.startsWith(`v1,`)?M.standard:M.plain,i.trim())}return n}function Ie(e){try{return Object.entries(JSON.parse(e)).map(([e,t])=>`${e}: ${String(t)}`)}catch{return e.split(`
`)}}var Le=e=>e.toLowerCase().replaceAll(`_`,`-`).replace(/^http-/,``),Re=300;async function ze(e){let t=Fe(e.headers),n={body:e.body,id:t.get(`webhook-id`)??``,timestamp:t.get(`webhook-timestamp`)??``},r=await Ve(e,t,n),i=`form`in r?r.form:t.has(M.plain)?`plain`:`standard`,a=e.computed.trim()===``?void 0:await Ue(e,n,i);return{request:r,oldSeconds:Be(n.timestamp,e.now),mistakes:a===void 0?void 0:a?.mistakes??null,form:a?.form??i,used:Ye(e)}}function Be(e,t){let n=Math.round(t/1e3-Number(e));return e!==``&&n>Re?n:void 0}async function Ve(e,t,n){let r=[`plain`,`standard`].filter(e=>t.has(M[e]));if(r.length===0)return{kind:`no_signature`};for(let i of r){let r=t.get(M[i])??``,a=async(e,t)=>r.split(/\s+/).includes(await Pe(i,e,{...n,body:t})??``);if(await a(e.secret,n.body))return{kind:`genuine`,form:i};for(let{body:t,mistake:r}of V(n.body))if(await a(e.secret,t))return{kind:r,form:i};for(let t of e.earlier)for(let e of[n.body,...V(n.body).map(e=>e.body)])if(await a(t,e))return{kind:`earlier_secret`}}return r.every(e=>He(e,t.get(M[e])??``))?{kind:`other_header`}:!r.includes(`plain`)&&(n.id===``||n.timestamp===``)?{kind:`no_parts`}:n.timestamp!==``&&Number(n.timestamp)*1e3<Date.parse(e.since)?{kind:`earlier_secret`}:{kind:`not_genuine`}}var He=(e,t)=>e===`plain`?t.startsWith(`v1,`):/^(sha256=)?[0-9a-f]{64}$/i.test(t);function V(e){let t=e.trim(),n=H(e);return[...t===e?[]:[{body:t,mistake:`line_break`}],...n===void 0||n===t?[]:[{body:n,mistake:`body_rewritten`}]]}function H(e){try{return JSON.stringify(JSON.parse(e))}catch{return}}async function Ue(e,t,n){let r=e.computed.trim().replace(/^["']|["',;]+$/g,``),i=[n,n===`plain`?`standard`:`plain`],a;for(let n of i)for(let i of We(n,e))for(let e of Ge(t.body))for(let o of qe(n)){let s=[...i.mistakes,...e.mistakes,...o.mistakes],c=B(o.value,{...t,body:e.value}),l=i.value===void 0?await Ne(c):await L(i.value,c);for(let e of Je(n,l)){let t=[...s,...e.mistakes];e.value.toLowerCase()===r.toLowerCase()&&(a===void 0||t.length<a.mistakes.length)&&(a={mistakes:t,form:n})}}if(a===void 0)return null;let o=a.mistakes.length>1?a.mistakes.filter(e=>e!==`prefix_left_out`):a.mistakes;return{...a,mistakes:o}}function We(e,{secret:t,earlier:n}){let r=P(t),i=F(t),[a,o]=e===`plain`?[r,i]:[i,r],s=n.map(t=>e===`plain`?P(t):F(t));return[{value:a,mistakes:[]},{value:P(I(t)),mistakes:[`key_without_prefix`]},{value:o,mistakes:[e===`plain`?`key_decoded`:`key_not_decoded`]},...[`${t}\n`,`${t} `,` ${t}`,`"${t}"`].map(e=>({value:P(e),mistakes:[`key_with_space`]})),...s.map(e=>({value:e,mistakes:[`key_earlier`]})),{value:void 0,mistakes:[`no_key`]}]}function Ge(e){let t=[{value:e,mistakes:[]}],n=(e,n)=>{t.some(t=>t.value===e)||t.push({value:e,mistakes:[n]})};n(e.trim(),`line_break`),n(`${e.trim()}\n`,`line_break`);let r=H(e);if(r===void 0)return t;let i=JSON.parse(r);return n(r,`body_rewritten`),n(JSON.stringify(i,void 0,2),`body_rewritten`),n(JSON.stringify(i,void 0,4),`body_rewritten`),n(U(r),`body_rewritten`),n(W(U(r)),`body_rewritten`),n(W(r),`body_rewritten`),n(W(r).replaceAll(`/`,String.raw`\/`),`body_rewritten`),n(Ke(i),`body_rewritten`),t}var U=e=>e.replaceAll(/"(?:[^"\\]|\\.)*"|[,:]/g,e=>e===`,`||e===`:`?`${e} `:e),W=e=>e.replaceAll(/[\u0080-\uffff]/g,e=>`\\u${e.codePointAt(0)?.toString(16).padStart(4,`0`)}`),Ke=e=>JSON.stringify(e,(e,t)=>typeof t==`object`&&t&&!Array.isArray(t)?Object.fromEntries(Object.entries(t).toSorted(([e],[t])=>e<t?-1:1)):t),qe=e=>[{value:e,mistakes:[]},{value:e===`plain`?`standard`:`plain`,mistakes:[`other_content`]}];function Je(e,t){let n=R(t),r=z(t);return e===`plain`?[{value:`sha256=${n}`,mistakes:[]},{value:n,mistakes:[`prefix_left_out`]},{value:r,mistakes:[`base64_not_hex`]},{value:`sha256=${r}`,mistakes:[`base64_not_hex`]}]:[{value:`v1,${r}`,mistakes:[]},{value:r,mistakes:[`prefix_left_out`]},{value:n,mistakes:[`hex_not_base64`]},{value:`v1,${n}`,mistakes:[`hex_not_base64`]}]}function Ye({used:e,secret:t,earlier:n}){if(e===``)return;if(e===t)return`right`;let r=e.trim().replaceAll(/^["']|["']$/g,``);return r===t?`with_space`:`whsec_${r}`===t?`without_prefix`:n.includes(r)?`earlier`:`other`}var G=t(),K=y.check;function Xe({secret:e}){let[t,n]=(0,j.useState)(),r=w({start:{body:``,headers:``,computed:``,used:``},send:async t=>ze({...t,...await e.forCheck(),now:Date.now()}),onDone:n});return(0,G.jsx)(k,{title:K.title,children:(0,G.jsxs)(p,{children:[(0,G.jsx)(m,{children:K.sentence}),Me()?(0,G.jsxs)(C,{form:r,submit:K.check,isWide:!0,children:[(0,G.jsx)(a,{label:K.body,...r.field(`body`),rows:4,isMono:!0}),(0,G.jsx)(a,{label:K.headers,...r.field(`headers`),hint:K.headersHint,rows:4,isMono:!0}),(0,G.jsx)(o,{label:K.computed,...r.field(`computed`),hint:K.computedHint,autoComplete:`off`,isMono:!0,isOptional:!0}),(0,G.jsx)(o,{label:K.used,...r.field(`used`),autoComplete:`off`,isMono:!0,isOptional:!0}),(0,G.jsx)(m,{isSmall:!0,children:K.needsSecret})]}):(0,G.jsx)(i,{tone:`warn`,children:K.insecure}),(0,G.jsx)(`div`,{role:`status`,children:t!==void 0&&(0,G.jsx)(Ze,{diagnosis:t})})]})})}function Ze({diagnosis:{request:e,oldSeconds:t,mistakes:n,used:r}}){return(0,G.jsxs)(p,{children:[(0,G.jsx)(i,{tone:e.kind===`genuine`?`ok`:`bad`,title:K.result,children:K.request[e.kind]}),t!==void 0&&(0,G.jsx)(i,{tone:`warn`,children:K.old(E(t*1e3))}),r!==void 0&&(0,G.jsx)(i,{tone:r===`right`?`ok`:`bad`,children:K.used_[r]}),n===null&&(0,G.jsx)(i,{tone:`bad`,children:K.codeUnknown}),n!==null&&n?.length===0&&(0,G.jsx)(i,{tone:`ok`,children:K.codeRight}),n?.map(e=>(0,G.jsx)(i,{tone:e===`prefix_left_out`?`info`:`bad`,children:K.mistakes[e]},e))]})}function Qe({endpoint:e,project:t,isOpen:n,onClose:r}){let i=x(),a=y.edit,o=w({start:ke(e),send:n=>i.run({project:t,params:{id:e.id},body:Oe(n)}),onDone:()=>{g({text:a.saved}),r()}});return(0,G.jsx)(_e,{title:a.title,isOpen:n,onClose:r,children:(0,G.jsx)(C,{form:o,submit:a.save,isWide:!0,children:(0,G.jsx)(Ae,{form:o})})})}function $e({endpoint:e,project:t,isOpen:n,onClose:r}){let i=ee(),a=fe(),o=y.remove;return(0,G.jsx)(S,{title:o.title,action:o.action,isOpen:n,onClose:r,onConfirm:async()=>{await a.run({project:t,params:{id:e.id}}),g({text:o.done}),i(h.webhooks(t))},children:o.sentence})}var q=y,et=({endpoint:e,project:t})=>(0,G.jsxs)(G.Fragment,{children:[(0,G.jsx)(k,{title:q.facts.title,children:(0,G.jsxs)(p,{children:[t.can(`webhooks:write`)&&(0,G.jsx)(tt,{endpoint:e,project:t.id}),(0,G.jsx)(O,{facts:[{name:q.facts.url,value:(0,G.jsx)(u,{text:e.url})},e.description!==null&&{name:q.facts.description,value:(0,G.jsx)(u,{text:e.description})},{name:q.facts.added,value:(0,G.jsx)(D,{at:e.createdAt,form:`short`})},{name:q.facts.id,value:(0,G.jsx)(ve,{id:e.id})}]})]})}),(0,G.jsx)(nt,{endpoint:e}),(0,G.jsx)(k,{title:q.facts.events,children:(0,G.jsx)(p,{children:e.events.map(e=>(0,G.jsxs)(p,{isTight:!0,children:[(0,G.jsx)(f,{children:e}),(0,G.jsx)(m,{isSmall:!0,children:A(e)})]},e))})})]});function tt({endpoint:e,project:t}){let n=x();return(0,G.jsx)(Te,{label:q.enabledSwitch,name:`enabled`,value:e.enabled,onChange:r=>void n.run({project:t,params:{id:e.id},body:{enabled:r}}).catch(v),hint:q.enabledHint,isDisabled:n.isBusy})}var nt=({endpoint:{health:e}})=>(0,G.jsx)(k,{title:q.health.title,children:(0,G.jsx)(O,{facts:[{name:q.health.rateName,value:e.successRate24h===null?q.health.nothing:T(e.successRate24h)},e.p95Ms!==null&&{name:q.health.p95Name,value:E(e.p95Ms)},{name:q.health.lastDelivered,value:(0,G.jsx)(D,{at:e.lastDeliveredAt})},e.failingSince!==null&&{name:q.health.failingSince,value:(0,G.jsx)(D,{at:e.failingSince})},{name:q.health.waiting,value:ye(e.pending)}]})});function rt(e,t,{url:n,events:r}){return`${ft[e][t].replaceAll(`«url»`,n).replaceAll(`«path»`,it(n)).replaceAll(`«event»`,r[0]??`email.delivered`).trim()}\n`}function it(e){try{return new URL(e).pathname}catch{return`/`}}var at={plain:`
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
`},ot=`
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
`,st={plain:`
import hashlib
import hmac
import json
import os
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = os.environ["POSTHOUSE_WEBHOOK_SECRET"]  # all of it, with whsec_


def is_genuine(raw_body, headers):
    expected = "sha256=" + hmac.new(SECRET.encode(), raw_body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, headers.get("x-service-signature", ""))

${ot}`,standard:`
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

${ot}`},ct=`
$event = json_decode($rawBody, true);
if ($event['type'] === '«event»') {
    error_log($event['messageId'] . ' ' . $event['recipient']);
}
http_response_code(204);
`,lt={plain:`
<?php // «path»
$secret = getenv('POSTHOUSE_WEBHOOK_SECRET'); // all of it, with whsec_
$rawBody = file_get_contents('php://input');
$expected = 'sha256=' . hash_hmac('sha256', $rawBody, $secret);
if (!hash_equals($expected, $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '')) {
    http_response_code(401);
    exit;
}
${ct}`,standard:`
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
${ct}`},J=`
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
`,ut={plain:`
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
${J}`},dt=`
post "«path»" do
  raw_body = request.body.read
  halt 401 unless genuine?(raw_body, request.env)
  event = JSON.parse(raw_body)
  logger.info("#{event["messageId"]} #{event["recipient"]}") if event["type"] == "«event»"
  204
end
`,ft={typescript:at,python:st,php:lt,go:ut,ruby:{plain:`
require "json"
require "openssl"
require "sinatra"

SECRET = ENV.fetch("POSTHOUSE_WEBHOOK_SECRET") # all of it, with whsec_

def genuine?(raw_body, env)
  expected = "sha256=" + OpenSSL::HMAC.hexdigest("SHA256", SECRET, raw_body)
  Rack::Utils.secure_compare(expected, env["HTTP_X_SERVICE_SIGNATURE"].to_s)
end
${dt}`,standard:`
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
${dt}`},curl:{plain:String.raw`
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
`}},Y=y.receivers;function pt({endpoint:e}){let[{language:t=`typescript`}]=re(pe),[n,r]=(0,j.useState)(`plain`);return(0,G.jsx)(k,{title:Y.title,isFlush:!0,children:(0,G.jsx)(Ce,{label:Y.label,parameter:`language`,tabs:me.map(e=>({name:e,label:Y.languages[e]})),selected:t,children:(0,G.jsxs)(p,{children:[(0,G.jsx)(we,{label:Y.form,options:[`plain`,`standard`].map(e=>({value:e,label:Y.forms[e]})),value:n,onChange:r}),(0,G.jsx)(_,{text:rt(t,n,e),label:Y.code(Y.languages[t])}),(0,G.jsx)(m,{isSmall:!0,children:Y.sentence})]})})})}var X=y.secret;function mt({secret:e}){let[t,n]=(0,j.useState)(!1),[r,i]=(0,j.useState)(!1),a=async()=>{n(!0),await e.show().then(()=>g({text:X.shown}),v),n(!1)};return(0,G.jsxs)(k,{title:X.title,children:[(0,G.jsxs)(p,{children:[(0,G.jsx)(m,{children:X.sentence}),e.shown===void 0?(0,G.jsxs)(`div`,{children:[(0,G.jsxs)(f,{children:[je,(0,G.jsx)(`span`,{"aria-hidden":`true`,children:`•`.repeat(24)})]}),(0,G.jsx)(te,{children:X.dots})]}):(0,G.jsx)(ht,{shown:e.shown}),(0,G.jsxs)(l,{children:[e.shown===void 0?(0,G.jsx)(d,{icon:`eye`,isBusy:t,onClick:()=>void a(),children:X.show}):(0,G.jsxs)(G.Fragment,{children:[(0,G.jsx)(ie,{text:e.shown.secret,label:X.copy,tone:`main`}),(0,G.jsx)(d,{onClick:e.hide,children:X.hide})]}),(0,G.jsx)(d,{icon:`refresh`,onClick:()=>i(!0),children:X.rotate})]}),(0,G.jsx)(m,{isSmall:!0,children:X.logged})]}),(0,G.jsx)(S,{title:X.rotateTitle,action:X.rotateAction,tone:`main`,isOpen:r,onClose:()=>i(!1),onConfirm:async()=>{await e.rotate(),g({text:X.rotated})},children:(0,G.jsxs)(p,{isTight:!0,children:[(0,G.jsx)(`span`,{children:X.rotateSentence}),(0,G.jsx)(`span`,{children:X.rotateBoth})]})})]})}function ht({shown:{secret:e,earlier:t,since:n,validUntil:r,until:i}}){let a=be();return(0,G.jsxs)(p,{isTight:!0,children:[t!==void 0&&(0,G.jsx)(c,{children:X.new}),(0,G.jsx)(_,{text:e,label:t===void 0?X.current:X.new,wraps:!0,copyLabel:null}),t!==void 0&&(0,G.jsxs)(G.Fragment,{children:[(0,G.jsx)(c,{children:X.old}),(0,G.jsx)(_,{text:t,label:X.old,wraps:!0,copyLabel:s.copyThing(X.old)})]}),(0,G.jsxs)(m,{isSmall:!0,children:[X.goneIn(E(Math.max(1,Math.ceil((i-a)/1e3))*1e3)),` `,n!==void 0&&(0,G.jsxs)(G.Fragment,{children:[X.since,` `,(0,G.jsx)(D,{at:n,form:`short`}),`.`]}),` `,r!==void 0&&(0,G.jsxs)(G.Fragment,{children:[X.earlier,` `,(0,G.jsx)(D,{at:r,form:`short`}),`.`]})]})]})}var Z=y.test;function gt({endpoint:e,project:t}){let n=ce(),[r,i]=(0,j.useState)(e.events[0]??`email.delivered`),[a,o]=(0,j.useState)(),[s,c]=(0,j.useState)(),l=async()=>{c(void 0),o(void 0);try{o((await n.run({project:t,params:{id:e.id},body:{type:r}})).id)}catch(e){c(e)}};return(0,G.jsx)(k,{title:Z.title,children:(0,G.jsxs)(p,{children:[(0,G.jsx)(m,{children:Z.sentence}),(0,G.jsx)(Ee,{label:Z.kind,name:`kind`,value:r,onChange:i,options:e.events.map(e=>({value:e,label:e})),hint:A(r)}),(0,G.jsx)(`div`,{children:(0,G.jsx)(d,{tone:`main`,icon:`send`,isBusy:n.isBusy,onClick:()=>void l(),children:Z.action})}),s!==void 0&&(0,G.jsx)(he,{error:s}),a!==void 0&&(0,G.jsx)(_t,{project:t,id:e.id,delivery:a})]})})}function _t({project:e,id:t,delivery:n}){let{data:a}=r({...ue(e,t,n),refetchInterval:vt}),o=a?.attempts.at(-1);return(0,G.jsxs)(p,{children:[(0,G.jsx)(`div`,{role:`status`,children:o===void 0?(0,G.jsx)(i,{tone:`info`,children:Z.waiting}):(0,G.jsx)(yt,{attempt:o})}),o!==void 0&&(o.answer===null||o.answer===``?(0,G.jsx)(m,{isSmall:!0,children:Z.noBody}):(0,G.jsx)(_,{text:o.answer,label:Z.body,wraps:!0})),(0,G.jsx)(ne,{to:h.delivery(e,t,n),children:Z.open})]})}var vt=({state:{data:e}})=>e===void 0||e.attempts.length===0?500:!1,yt=({attempt:{status:e,durationMs:t,error:n}})=>(0,G.jsx)(i,{tone:n===null?`ok`:`bad`,title:e===null?Z.failed(E(t)):Z.answered(e,E(t)),children:n??``}),Q=6e4;function bt(e,t){let[n,r]=(0,j.useState)(()=>xt(t)),[i,a]=(0,j.useState)([]),o=e=>r({...e,until:Date.now()+Q});return(0,j.useEffect)(()=>{if(n===void 0)return;let e=setTimeout(r,n.until-Date.now(),void 0);return()=>clearTimeout(e)},[n]),{shown:n,hide:()=>r(void 0),show:async()=>{let{secret:n,since:r,previous:i}=await b(e,t);o({secret:n,since:r,earlier:void 0,validUntil:i[0]?.validUntil})},rotate:async()=>{let n=await de(e,t);a(e=>[n.earlier,...e]),o({...n,since:void 0,validUntil:void 0})},forCheck:async()=>{let{secret:n,since:r}=await b(e,t);return{secret:n,since:r,earlier:i}}}}function xt(e){let t=oe(e);if(t!==void 0)return{secret:t,earlier:void 0,since:void 0,validUntil:void 0,until:Date.now()+Q}}var $=y;function St(){let e=ge(`webhookId`);return(0,G.jsx)(Ct,{id:e},e)}function Ct({id:e}){let t=ae(),n=r(le(t.id,e)),i=bt(t.id,e),[a,o]=(0,j.useState)(),s=t.can(`webhooks:write`),c=()=>o(void 0),l=s?[{label:$.edit.action,icon:`edit`,run:()=>o(`edit`)},{label:$.remove.action,icon:`bin`,tone:`bad`,place:`menu`,run:()=>o(`delete`)}]:[];return(0,G.jsxs)(G.Fragment,{children:[(0,G.jsx)(Se,{path:[{label:$.title,to:h.webhooks(t.id)}],id:e,query:n,title:({url:e})=>e,status:e=>(0,G.jsx)(wt,{endpoint:e}),note:Tt,actions:()=>l,above:e=>!e.enabled&&(0,G.jsx)(Et,{endpoint:e,project:t.id,mayChange:s}),aside:e=>(0,G.jsx)(et,{endpoint:e,project:t}),children:e=>(0,G.jsxs)(G.Fragment,{children:[s&&(0,G.jsx)(mt,{secret:i}),s&&(0,G.jsx)(gt,{endpoint:e,project:t.id}),(0,G.jsx)(De,{endpoint:e,project:t}),s&&(0,G.jsx)(Xe,{secret:i}),(0,G.jsx)(pt,{endpoint:e})]})}),n.data!==void 0&&s&&(0,G.jsxs)(G.Fragment,{children:[(0,G.jsx)(Qe,{endpoint:n.data,project:t.id,isOpen:a===`edit`,onClose:c},`edit-${a}`),(0,G.jsx)($e,{endpoint:n.data,project:t.id,isOpen:a===`delete`,onClose:c})]})]})}function wt({endpoint:e}){let{tone:t,word:n}=se(e);return(0,G.jsx)(xe,{tone:t,children:n})}var Tt=({health:e})=>[e.successRate24h===null?void 0:$.health.rate(T(e.successRate24h)),e.p95Ms===null?void 0:$.health.p95(E(e.p95Ms))].filter(e=>e!==void 0).join(` · `);function Et({endpoint:e,project:t,mayChange:n}){let r=x();return(0,G.jsx)(i,{tone:`warn`,title:$.disabledWhy,actions:n&&(0,G.jsx)(d,{isBusy:r.isBusy,onClick:()=>void r.run({project:t,params:{id:e.id},body:{enabled:!0}}).catch(v),children:$.enable}),children:e.disabledReason??$.disabledByPerson})}export{St as Page};