/**
 * Finds the time zones in which a number may be. It is a guess, because people keep their numbers when they move. So
 * the result is always a set, and a rule about the time of day must hold in all of it.
 */

export interface NumberLocation {
  e164: string
  /** ISO 3166, as `readPhone` finds it. */
  country: string | undefined
  /** The zone that the person gave, e.g. with a consent. It has precedence over every guess. */
  told?: string | undefined
}

export function timeZonesOf({ e164, country, told }: NumberLocation): readonly string[] {
  const known = told === undefined ? undefined : timeZone(told)
  if (known !== undefined) return [known]
  const ofArea = country === 'US' || country === 'CA' ? zonesOfArea.get(e164.slice(2, 5)) : undefined
  return ofArea ?? zonesOfCountry(country)
}

/** The usual spelling of a zone's name. An offset is none: it knows nothing of summer. Undefined for anything else. */
export function timeZone(name: string): string | undefined {
  if (!/^[a-z]/i.test(name)) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** ICU knows the zones of a country. Without a country the first and the last zone of the world count. */
function zonesOfCountry(country: string | undefined): readonly string[] {
  const known = country === undefined ? undefined : new Intl.Locale(`und-${country}`).getTimeZones()
  return known === undefined || known.length === 0 ? ['Pacific/Kiritimati', 'Pacific/Pago_Pago'] : known
}

const [EASTERN, CENTRAL, MOUNTAIN, PACIFIC] = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
]

/**
 * Area codes of the United States and Canada as of November 2026, by the zones that their counties keep. What is not
 * listed (new ones, and those that belong to no place) has all zones of its country.
 */
const areas: readonly (readonly [zones: readonly string[], codes: string])[] = [
  // These have one zone: Connecticut, Delaware, D.C., Georgia, Maine, Maryland, Massachusetts, Michigan, New Hampshire,
  // New Jersey, New York, the Carolinas, Ohio, Pennsylvania, Rhode Island, Vermont, the Virginias; most of Florida,
  // Indiana, Kentucky and the east of Tennessee.
  [
    [EASTERN],
    `203 475 860 959 302 202 771 229 404 470 478 678 706 762 770 912 943 207 227 240 301 410 443 667
     339 351 413 508 617 774 781 857 978 231 248 269 313 517 586 616 679 734 810 947 989 603
     201 551 609 640 732 848 856 862 908 973
     212 315 329 332 347 363 516 518 585 607 624 631 646 680 716 718 838 845 914 917 929 934
     252 336 472 704 743 828 910 919 980 984 803 821 839 843 854 864
     216 220 234 283 326 330 380 419 436 440 513 567 614 740 937
     215 223 267 272 412 445 484 570 582 610 717 724 814 835 878 401 802
     276 434 540 571 686 703 757 804 826 948 304 681
     239 305 321 324 352 386 407 561 645 656 689 727 728 754 772 786 813 863 904 941 954
     260 317 463 765 502 859 865`,
  ],
  // These have one zone: Alabama, Arkansas, Illinois, Iowa, Louisiana, Minnesota, Mississippi, Missouri, Oklahoma,
  // Wisconsin; most of Kansas, Nebraska, Tennessee and Texas.
  [
    [CENTRAL],
    `205 251 256 334 659 938 327 479 501 870
     217 224 309 312 331 447 464 618 630 708 730 773 779 815 847 861 872 319 515 563 641 712
     225 318 337 504 985 218 320 507 612 651 763 924 952 228 471 601 662 769
     235 314 417 557 573 636 660 816 975 405 539 572 580 918 262 274 353 414 534 608 715 920
     316 913 402 531 615 629 731 901 931
     210 214 254 281 325 346 361 409 430 469 512 682 713 726 737 806 817 830 832 903 936 940 945 956 972 979`,
  ],
  // The codes are of Colorado, Montana, New Mexico, Utah, Wyoming and El Paso.
  [[MOUNTAIN], '303 719 720 748 970 983 406 505 575 385 435 801 307 915'],
  // The codes are of California, Las Vegas, the west of Oregon and Washington.
  [
    [PACIFIC],
    `209 213 279 310 323 341 350 357 369 408 415 424 442 510 530 559 562 619 626 628 650 657 661 669 707 714
     738 747 760 805 818 820 831 837 840 858 909 916 925 949 951 702 725 503 971 206 253 360 425 509 564`,
  ],
  [['America/Phoenix'], '480 520 602 623'],
  [['Pacific/Honolulu'], '808'],
  // These areas lie across a border of zones: the Upper Peninsula, the Panhandle, both ends of Indiana, the west of
  // Kentucky.
  [[EASTERN, CENTRAL], '906 448 850 219 574 812 930 270 364 606 423'],
  [[CENTRAL, MOUNTAIN], '620 785 308 701 605 432'],
  [[MOUNTAIN, PACIFIC], '208 986 775 458 541'],
  // The Navajo Nation has daylight saving time, the rest of Arizona has not.
  [['America/Phoenix', MOUNTAIN], '928'],
  [['America/Anchorage', 'America/Adak'], '907'],
  [['America/Edmonton'], '368 403 587 780 825'],
  [['America/Vancouver'], '604'],
  [['America/Vancouver', 'America/Edmonton', 'America/Dawson_Creek'], '236 250 257 672 778'],
  [['America/Winnipeg'], '204 431 584'],
  [['America/Halifax'], '428 506 782 902'],
  [['America/St_Johns', 'America/Halifax'], '709 879'],
  [['America/Toronto'], '226 249 289 343 365 382 416 437 519 548 613 647 683 705 742 753 905 942'],
  [['America/Toronto', 'America/Winnipeg'], '807'],
  [['America/Toronto'], '263 354 438 450 468 514 579 819 873'],
  // The Magdalen Islands and the Lower North Shore keep Atlantic time.
  [['America/Toronto', 'America/Halifax', 'America/Blanc-Sablon'], '367 418 581'],
  [['America/Regina', 'America/Edmonton'], '306 474 639'],
  [['America/Whitehorse', 'America/Edmonton', 'America/Winnipeg', 'America/Toronto', 'America/Coral_Harbour'], '867'],
]

const zonesOfArea = new Map(areas.flatMap(([zones, codes]) => codes.split(/\s+/).map((code) => [code, zones] as const)))
