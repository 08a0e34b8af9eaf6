/** What strangers may write or publish to make us connect to our own network. */
const words = (text: string): string[] => text.trim().split(/\s+/)

/** Spellings that URL parsers take for 127.0.0.1 or 0.0.0.0, and names that must mean it. */
const loopback = words(`
  127.0.0.1 127.1 127.0.1 2130706433 0x7f000001 0x7F.0.0.1 0x7f.1 017700000001 0177.0.0.1 0177.1 0x7f.0.1
  127.0x0.0.01 0000177.0.0.0001 127.0.0.1. 2130706433. 0x7f.1. 127.0.0.2 127.0.0.53 127.1.2.3 127.255.255.254
  １２７.０.０.１ 127。0。0。1 １２７．０．０．１ ①②⑦.⓪.⓪.① %31%32%37.0.0.1 127%2e0%2e0%2e1 %30x7f.1 127.0.0.%31
  0 0x0 00 0.0 0.0.0.0 0.0.0.1
  localhost LOCALHOST localhost. foo.localhost a.b.LocalHost. ｌｏｃａｌｈｏｓｔ loc%61lhost lo\u00ADcalhost`)

const private4 = words(`
  10.0.0.1 10.1 167772161 012.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1 192.168.1 3232235521
  0xc0a80001 100.64.0.1 100.127.255.255 198.18.0.1 192.0.2.1 198.51.100.1 203.0.113.1 192.88.99.1 224.0.0.1
  239.255.255.255 240.0.0.1 255.255.255.255 4294967295 0xffffffff 037777777777`)

/** Where clouds tell a machine its secrets. */
const metadata = words(`
  169.254.169.254 2852039166 0xa9fea9fe 0251.0376.0251.0376 169.254.43518 169.254.170.2 100.100.100.200 168.63.129.16
  192.0.0.192 [::ffff:169.254.169.254] [::ffff:a9fe:a9fe] [fd00:ec2::254] [fe80::a9fe:a9fe] [64:ff9b::169.254.169.254]`)

const loopback6 = words(`
  [::] [::1] [0:0:0:0:0:0:0:1] [0000::0001] [::0.0.0.1] [::2] [::ffff:127.0.0.1] [::ffff:7f00:1]
  [0:0:0:0:0:FFFF:7F00:0001] [::ffff:127.0.0.53] [::ffff:0.0.0.0] [::127.0.0.1] [::7f00:1] [::ffff:0:127.0.0.1]
  [64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b::0.0.0.0] [64:ff9b:1::7f00:1] [64:ff9b:1:7f00:0:100::]
  [2002:7f00:1::] [2002:7f00:0001::7f00:1] [2001:0:7f00:1::] [2001:0:4136:e378:8000:63bf:80ff:fffe]
  [2a00:1450:4001::5efe:127.0.0.1] [2a00:1450:4001::200:5efe:7f00:1] [fe80::5efe:127.0.0.1]`)

const private6 = words(`
  [fc00::1] [fd12:3456::1] [fdff:ffff::1] [fe80::1] [febf::1] [fec0::1] [ff02::1] [ff0e::1] [100::1] [2001:db8::1]
  [3fff::1] [5f00::1] [4000::1] [::ffff:10.0.0.1] [::ffff:c0a8:1] [::10.0.0.1] [::ffff:0:10.0.0.1]
  [64:ff9b::10.0.0.1] [64:ff9b::c0a8:1] [2002:a00:1::] [2002:c0a8:101::1] [2001:0:a00:1::]
  [2a00:1450:4001::5efe:10.0.0.1] [2a00:1450:4001:0:200:5efe:c0a8:1]`)

export const forbiddenHosts: readonly string[] = [...loopback, ...private4, ...metadata, ...loopback6, ...private6]

/** Whole URLs whose host is not where a hasty reader would look for it. */
export const trickyUrls = (port: number): string[] => [
  `http://public.example@127.0.0.1:${port}/`,
  `http://user:password@127.0.0.1:${port}/`,
  `http://127.0.0.1:${port}#@public.example/`,
  `http://127.0.0.1:${port}?@public.example/`,
  `http://127.0.0.1:${port}\\@public.example/`,
  `http:\\\\127.0.0.1:${port}/`,
  `http:127.0.0.1:${port}/`,
  `http:///127.0.0.1:${port}/`,
  `http://127.0.\t0.1:${port}/`,
  `\n http://127.0.0.1:${port}/`,
  `HTTP://127.0.0.1:0${port}/`,
  // No URL at all, for us.
  `http://[fe80::1%25lo]:${port}/`,
  `http://[fe80::1%lo]:${port}/`,
  `http://[::1%25lo]:${port}/`,
  `http://[::ffff:127.1]:${port}/`,
  `http://127.0.0.1%00.public.example:${port}/`,
  `http://127.0.0.1:${port}:80/`,
  `http://256.0.0.1:${port}/`,
  `http://0x1007f000001:${port}/`,
  `file:///etc/passwd`,
  `gopher://127.0.0.1:${port}/`,
]
