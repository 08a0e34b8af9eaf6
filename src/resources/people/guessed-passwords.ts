/**
 * The words that most common passwords are made of: keys in a row, greetings, names, animals, teams, brands, places. They are
 * read from the text only when a person chooses a password, which in most processes never happens.
 */
export const commonWords = (): ReadonlySet<string> => new Set(words.split(/\s+/))

const words = `
aaa aaaaaa aaron abc abcabc abcd abcde abcdef abcdefg abcdefgh abcdefghi abraham access accord account acdc adam
admin administrator adventure aerosmith africa agent ahmed airforce airjordan aisha ajax alaska albert alejandro
alex alexa alexander alexandra alexis ali alien aliens alive allah alpha always amanda amazing amazon amber amen
america american amsterdam andrew andrey android andy angel angela angelica angelina angelo angels angry anna anne
annie ant anthony antoine antonio anything apartment apollo apple apples april aragorn architect arizona army
arsenal arthur asd asdasd asdf asdfg asdfgh asdfghjk asdfghjkl asdzxc ashley assassin astros athena athens
athletics atlanta atlantis audi august aunt austin australia austria auto autumn ava avengers awesome azerty
azertyuiop baboon baby babyboy babydoll babyface babygirl bacon bad badboy badgirl bailey bambi banana bananas
bandit bank banker barbara barca barcelona bart baseball basketball bass batman batterystaple bayern beach bear
bears beast beatle beatles beautiful beckham bee beer beetle belgium believe bella benfica bengals benjamin benny
bentley berlin berry best bestfriend beta betty beyonce bible bieber bigboss bigboy bigdaddy bigdog bigmac bigman
biker biking bilbo billion billy biology birthday bison black blackberry blackcat blackdog blackjack blacksabbath
blacksheep blaster blaze blessed blessing blink blizzard blue blueberry blueeyes blues bluesky blur bmw bobby
bobmarley bond bonjour bonjovi bonkers bookworm boomer born boss boston boxer boxing boy boyfriend boys brandon
brandy brasil braveheart braves brazil bread breeze brian bridge british britney brittany bronco broncos bronze
brooklyn brother brown browns bruno bubba bubble bubblegum bubbles buddha buddy buffalo bugatti bugsbunny building
bull bulldog bulldogs bulls bumblebee bunny burger burrito business buster butter buttercup butterfly cadillac
cairo cake california callofduty camaro camila camp camping canada canadian candy captain captainamerica car
caramel cardinals carlos carol carolina caroline carrot cars cartman casablanca cash casino castle cat catdog
catherine cats catwoman cedar celtic celtics ceo challenger champ champion chance changeit changeme changethis
charger chargers charizard charles charlie charlotte cheer cheerleader cheese cheetah chelsea chemistry cherry
chester chevrolet chevy chewbacca chicago chicken chiefs child children chimp china chinese chloe chocolate chopper
christ christian christina christine christmas christopher church ciao cinderella cindy cisco citroen city civic
class classic cloud clouds coach cobra cocacola cocktail coco coconut code coder codeword cody coffee coke coldplay
college color colorado colors colossus colts columbia company compaq computer contrasena cookie cookies cool
coolest coolgirl coolguy cooper copper corolla correct correcthorse correcthorsebatterystaple corvette cosmos
cougar cougars counterstrike country courtney cousin cow cowboy cowboys cowgirl coyote craig crazy cricket cristina
crow crown crystal cubs cupcake cute cutie cutiepie cyber cycling dad daddy daffy daisy dakota dallas dance dancer
dancing daniel daniela danielle danny dark darkness darkside darling darthvader database daughter david deadpool
dearest death debian december default delhi dell delta demo demon denmark dennis denver depechemode desert desktop
destiny detective detroit deutschland developer devil diablo diamond diamonds diego dieyoung digger digital dirty
disco discovery diving dmitri doctor dodge dodgers dog doggie doggy dogs dollar dollars dolphin dolphins donald
donna dontknow doodle door doors dorothy doughnut douglas dracula dragon dragonage dragonball dragonfly dragons
drake dream dreamer dreaming dreams driver drummer drums ducati duck ducky duke dumb dumbledore dumbo dylan eagle
eagles earth earthquake easter ebay edcrfv eduardo edward edwin eeyore egypt elena elephant eleven elizabeth elvis
elvispresley emerald emily eminem emma energy engineer engineering england english enterprise eric espana espresso
eternal eternity ethan eva eve evening everton everything evil example excel explore explorer extreme facebook
faith falcon falcons family familyguy fanta fantastic farm farmer fast faster fatboy father fatima february federer
fender fernando ferrari fiat fifty fiftycent final finland fire fireball firebird firefly fireman first firstlove
fish fishing flame flames flamingo flash flipper florida flower flowers fool foolish football force ford forest
forever foreverlove forget forgot fortnite fortune fourseasons fox foxes france francis francisco francois frank
franklin fred freddy freedom friday friend friends friendship fritz frodo frog froggy funny furious futurama future
gabriel galaxy gambler game gamer games gaming gamma gandalf ganesh gangster garden garfield garlic gary gecko
genesis gentleman george georgia germany gerrard ghost giants ginger giraffe girl girlfriend girls gizmo gladiator
glory goat god godbless godfather godisgood godislove godzilla gold golden goldeneye goldfinger golf golfer golfing
goober good goodboy goodbye goodgirl goodmorning goodnight goofy google goose gordon gorgeous gorilla gospel grace
graduate grandma grandpa granny granted grape grapes gray great greatest greece green greenday gregory greta grey
griffin grizzly gryffindor gta guest guitar gunner gunsnroses gunther gymnast hacker hacking hackme hallelujah
hallo halloween halo hamburger hammer hamster handsome hanna hannah hans hansolo happiness happy happybirthday
happyday hardcore hardware harley harleydavidson harleyquinn harry harrypotter haslo hassan hate hateyou hawaii
hawk hawkeye hawks heat heather heaven heidi helen hell hello hellohello helpdesk hendrix henry hercules hermes
hermione hero highschool highway hiking hiphop hippo history hithere hobbit hockey hogwarts hola holiday holland
holly hollywood holy home homer homesweet honda honey honeybee honor hope horizon hornet hornets horse horsebattery
horses hostmaster hot hotdog hotrod house houston howard howareyou hugs hulk hummer hundred hungry hunter hurricane
husband husky hyper ice icecream iceman idiot idontknow iforgot ihateyou ilovegod iloveher ilovehim ilovejesus
iloveme ilovemom iloveu iloveyou imagine impreza india indian indonesia inferno infinity ingrid insane instagram
intel inter internet ipad iphone ireland irina iris irish ironmaiden ironman isaac isabella island islands israel
istanbul italia italy ivan ivy jack jackpot jackson jacob jacques jade jaguar jakarta jake james jamesbond january
japan jasmine jason jasper java javascript jayz jazz jedi jeep jeffrey jelly jellybean jennifer jerry jerusalem
jessica jester jesus jesuschrist jets jimmy jimmyhendrix job john johnny joker jonathan jordan jose joseph joshua
journey juan judo juice julia juliana julie juliet july jumper june jungle junior jupiter jurgen justice justin
justinbieber juventus karate karen katherine kathleen kawasaki keith kelly kenneth kevin key keyboard keymaster
keys keyword kid kids killer killme kimberly king kingdom kingkong kings kisses kissme kitten kittens kitty klaus
knicks knight knights kobe korea korn krishna kristen kyle ladies lady ladybug ladygaga lake lakers lakshmi lamb
lamborghini laptop larry last lasvegas latte laura lauren lawyer lazy lebron ledzeppelin legend legolas lemon
lemonade leopard letmein letmeinn liberty life lifeisgood lifetime light lightning lily lincoln linda linkedin
linkinpark linux lion lions lisbon littleman littleone live liverpool living lizard lkjhgfdsa locked locksmith
logan login logon loki lola london lordoftherings losangeles loser lottery lotus love loveislife lovelove lovely
loveme lover lovers loveyou lucas lucky luckyday luckyone luigi luis lukeskywalker lunatic macintosh mad madman
madness madonna madrid maggie magic magical magnum malaysia mama man manager manchester mandy mango manhattan
maniac manila manutd maple maradona march marcus margaret margarita maria mariah marie marina marine marines mario
mark marlboro marley mars marshall marshmallow martha martin martini mary maserati mason master math matrix matthew
maverick max maximus maxwell may mazda mega megadeth megan melbourne melissa melon men mercedes mercury merlin
messi metal metallica mets mexican mexico mia miami michael michelle mickey microsoft midnight miguel milan milk
miller million millionaire minecraft minister minnie misty mitsubishi mnbvcxz mohammed molly mom mommy monday money
monica monitor monkey monster montana montreal moon moonlight morning morpheus moscow moses mosquito motdepasse
mother motorcycle motorola mountain mountains mouse muffin muhammad mumbai music musica musical mustang myfamily
myfather mylife mylove mymother mypass mypassword mysecret myspace mystery mystic nacho nancy nascar natalia
natasha nathan nathaniel natural nature navy ncc nemesis nemo neo neptune netflix network nevada newcastle
newpassword newyear newyork newyorkcity neymar nicholas nicole night nikita ninja nintendo nirvana nissan nitro
noah noidea nokia noodle noodles noon nopassword norway nothing november nuggets number numberone nurse nvidia oak
oakland oasis ocean oceans october odyssey office oksana oldpassword olga oliver olivia omar omega one onedirection
oneone onetwo onetwothree onion opendoor opensesame openup operator oracle orange oranges orchid oreo orioles
orlando oscar outlaw outlook owl ozzy pablo packers pacman pakistan pancake pantera panther panthers papa paradise
paris parola parrot pass passme passphrase passw passwd password passwort past pasta patches patricia patrick
patrickstar patriots paul paypal peace peach peaches peacock peanut pearl pedro pele penguin penguins people pepper
pepsi perfect person peter peugeot phantom philippines phillies phoenix physics piano pickle picnic pierre pig
piggy piglet pikachu pilot pine pineapple pink pinkfloyd pioneer pirate pirates pizza planet platinum playboy
player players playgame playstation pluto poiuytrewq pokemon poker poland polarbear police policeman polska pontiac
pony pooh poohbear pookie popcorn porsche porter porto portugal postmaster potato power powerful powers pray prayer
precious predator present president presley pretty prettygirl prince princesa princess printer privacy private
priya professor program programmer protect psycho pumpkin punk puppy purple python qaz qazwsx qazwsxedc queen
queenband qwe qweasd qweasdzxc qweqwe qwer qwert qwerty qwertyui qwertyuiop qwertz qwertzuiop rabbit racecar racer
rachel racing radio radiohead rafael rahul raider raiders rain rainbow raindrop rambo ranch randy ranger rangers
rangersfc rapper rascal raspberry raven ravens raymond realmadrid rebecca rebel rebels red redhead redskin redskins
redsox redwings reggae register remember renault rex rhino ricardo rice rich richard rihanna river rivers road
robert roberto robin roblox robot robots rock rocket rockets rocknroll rockstar rocky rollingstones rollsroyce rome
romeo ronald ronaldo rooney rooster root rose rosebud roulette royal ruby rugby rum runescape runner running russia
rusty ruth ryan saab sadie safari safe safety sai saint saints samantha sammy sample samson samsung samuel samurai
sandiego sandra sandy sanfrancisco santana sapphire sarah sasha saturday saturn savage scarface school science
scientist scooby scoobydoo scooter scorpion scotland scott sea seattle sebastian secret secure security senha seoul
september sergey server service sesame seven sexy shadow shadows shannon shark sharks sharon sheep shelby sheriff
sherlock shine shooter shrek shuttle sierra sigma signin signup silver simba simpsons sinatra singapore singer
sister sisters sith skateboard skater skating skiing skippy skoda skull sky skyline skyrim skywalker slayer sleepy
slipknot slytherin smile smiles smiley smokey snake snapper snickers snoopdogg snoopy snow snowball snowboard
snowflake snowman snowwhite snuggles soccer socks sofia softball software soldier something son song songs sonic
sony sophia sophie soul southpark space spaghetti spain spanky sparkle sparky spartan speed speedy spencer spider
spiderman spike spirit spongebob spotify spring sprite spurs spy squirt stallion star starcraft stardust starlight
stars startrek starwars steelers stephanie stephen steven stingray stinky storm stormtrooper stormy stranger
strawberry street strength strong stronger student stupid subaru success sugar summer summertime sun sunday
sunflower sunny sunrise suns sunset sunshine super superhero superman supernova superstar superuser support supra
supreme surfer surfing susan sushi suzuki svetlana swan sweden sweet sweetheart sweetie sweety swimmer swimming
swiss sword swordfish sydney sysadmin system taco tampa tango tatiana taylorswift tea teacher techno teddy
teddybear temp temporary tennis tequila terminator tesla test tester testing testtest tetris texas thailand thebest
theboss thepassword thirsty thirteen thomas thor thousand threekings thumper thunder thunderbolt thursday thx
tiffany tiger tigers tigger time timmy tinkerbell titan titanic titans toad toast toby today together tokyo tomato
tommy tomorrow tool toor topcat topgun topsecret tornado toronto tortoise tottenham tourist tower town toyota
tractor travel traveler travis treasure tree trees trinity troubadour trouble truck trucks truelove trumpet trust
trustme trustno trustnoone trustworthy truth tucker tuesday tulip tupac turbo turkey turtle tweety twitter tyler
tyson ubuntu ukraine ultimate ultra uncle unicorn united universe university unlock unlocked usa user username
vacation vader valentina valhalla vampire vancouver vanessa vanhalen vanilla vegas venus veronica victor victoria
victory vienna vietnam viking vikings village vincent violet violin viper virginia vladimir vodka volcano voldemort
volkswagen volleyball volvo voodoo voyager wachtwoord walker walter warcraft warrior warriors warsaw washington
wasp water waterfall watermelon wealth webmaster website wednesday weekend welcome welcomeback wendy whale whatever
whatsup whiskey whisky white whitecat wicked wife wild wildcat wildcats william willie willow wind window windows
windy wine winner winnie winning winston winter witcher wizard wolf wolfgang wolverine wolves woman women wonderful
wonderwoman woody word work worldofwarcraft wrestler wrestling wsx wsxedc xanadu xbox xmen xxx xxxxxx yahoo yamaha
yankees yellow yellowstone yesterday yoda yourpassword youtube yusuf zachary zapper zaq zaqwsx zebra zelda zeppelin
zero zeus zidane ziggy zippy zoe zombie zxc zxcv zxcvb zxcvbn zxcvbnm zxczxc zzz`
