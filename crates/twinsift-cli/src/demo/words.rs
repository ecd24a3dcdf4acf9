//! The word lists that patterns draw from.
//!
//! People, places and firms are invented: names are put together from common
//! parts. The larger the lists, the rarer it is that two stories agree in
//! five words on end, and that is what the corpus is about.

/// Every list by its name; bars stand between the words.
pub(super) const LISTS: &[(&str, &str)] = &[
    (
        "first",
        "Ada|Alun|Amara|Anil|Beatrix|Bruno|Callum|Carys|Clement|Daria|Declan|Dilip|Edith|\
         Elias|Esme|Fergus|Fiona|Gareth|Greta|Hamid|Harriet|Hugo|Ines|Isaac|Jasmin|Joan|\
         Jonah|Kamal|Katya|Keir|Leila|Lorna|Lucian|Mabel|Marek|Miriam|Nadia|Neville|Nora|\
         Olive|Omar|Oscar|Paloma|Percy|Petra|Quentin|Rafael|Rhona|Rosalind|Rupert|Saira|\
         Selwyn|Silvia|Tariq|Thea|Tobias|Una|Vera|Victor|Wanda|Wilfred|Yasmin|Yusuf|Zara",
    ),
    (
        "last",
        "Abernethy|Adeyemi|Ainsworth|Albright|Ashdown|Bakshi|Barraclough|Bellweather|\
         Birtwhistle|Blackledge|Bonham|Braithwaite|Calloway|Carmody|Chaudhry|Cheadle|\
         Cinnamond|Cottrell|Dacre|Delacourt|Dhillon|Draycott|Easterby|Eccles|Elphick|\
         Fairbrother|Fawcett|Featherstone|Fenwick|Gallacher|Garside|Gilchrist|Goodacre|\
         Greenhalgh|Hadley|Halloran|Hargreave|Hathersage|Iqbal|Ingleby|Jagger|Jessop|\
         Kaminski|Kershaw|Kettering|Lacey|Lambourne|Latimer|Lockwood|MacAllister|\
         Mandeville|Marchbanks|Merriweather|Molyneux|Nakamura|Nettleton|Norquay|Oakden|\
         Okafor|Ollerenshaw|Pargeter|Pemberton|Penhaligon|Pickersgill|Quayle|Quigley|\
         Rafferty|Rainsford|Ramsbottom|Rosenthal|Sadler|Satterthwaite|Shufflebotham|\
         Skelton|Stanhope|Sugden|Tattersall|Thackeray|Trelawney|Tunnicliffe|Underhill|\
         Vance|Varley|Venables|Wainscott|Wetherby|Whitlock|Wolstenholme|Yardley|Zielinski",
    ),
    (
        "townname",
        "{townhead}{towntail}|{townhead}{towntail}|{townhead}{towntail}|\
         {townhead}{towntail}-on-{river}|{townside} {townhead}{towntail}",
    ),
    (
        "townside",
        "North|South|East|West|Upper|Lower|Great|Little|Old|New",
    ),
    (
        "townhead",
        "Alder|Amber|Arn|Bar|Beck|Bram|Brindle|Cald|Carn|Chel|Clap|Cran|Dar|Dun|Eller|Elm|\
         Fal|Far|Fern|Gar|Glen|Hal|Harrow|Haver|Hether|Holm|Ing|Kel|Kirk|Lang|Lin|Mar|Mel|\
         Morn|Nether|Nor|Oaken|Orm|Pen|Quern|Raven|Rid|Rook|Sel|Shel|Stan|Stell|Tarn|Thorn|\
         Ulver|Wain|Wells|Whit|Win|Wyn|Yar",
    ),
    (
        "towntail",
        "barrow|beck|borough|bourne|bridge|bury|by|castle|combe|cote|cross|dale|den|don|\
         fell|field|ford|gate|grove|ham|haven|hithe|holme|hurst|leigh|low|mere|minster|\
         mouth|ness|pool|ridge|sett|shaw|stead|stoke|thorpe|ton|wick|worth",
    ),
    (
        "river",
        "Arrell|Breme|Cawder|Dunn|Eskwater|Fenner|Gail|Harl|Ister|Kellet|Lathe|Marrow|\
         Nidder|Oule|Perrin|Rill|Sallow|Tavey|Ulver|Wend|Yarl",
    ),
    (
        "street",
        "{streethead} Street|{streethead} Road|{streethead} Lane|{streethead} Avenue|\
         {streethead} Square|{streethead} Terrace|{streethead} Hill|{streethead} Way",
    ),
    (
        "streethead",
        "Mill|Chapel|Station|Orchard|Foundry|Market|Quarry|Priory|Tanner|Weaver|Cooper|\
         Lantern|Almond|Beacon|Canal|Dovecote|Ferry|Granary|Hazel|Ivy|Juniper|Kiln|Laurel|\
         Maltings|Nursery|Park|Quay|Rope|Saddler|Tollgate|Vine|Wharf",
    ),
    (
        "day",
        "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday",
    ),
    (
        "month",
        "January|February|March|April|May|June|July|August|September|October|November|\
         December",
    ),
    (
        "when",
        "on {day}|late on {day}|early on {day}|on {day} [morning|evening|night]|\
         at the weekend|earlier this [week|month]|in the early hours of {day}|at [noon|\
         dusk|dawn] on {day}|in [early|mid|late] {month}|last {day}|overnight|\
         shortly before [midnight|noon]|[two|three|four|five] days ago|\
         within the past [week|fortnight]",
    ),
    (
        "soon",
        "on {day}|next {day}|in [early|mid|late] {month}|before the end of {month}|\
         within [two|three|four|six] [days|weeks|months]|by {#2-28} {month}|\
         later this [week|month|year]|after the [summer|winter|holiday] break|\
         no later than {month}|in {#2-9} weeks",
    ),
    (
        "period",
        "[two|three|four|five|six|seven|nine|ten] [months|years]|a(n) [year|decade|generation]|\
         {#14-40} [months|years]|the best part of a [year|decade]|half a [year|century|decade]|\
         more than a [year|decade|generation]|close to a [year|decade|century]|\
         [two|three|four] [decades|generations|winters|summers]",
    ),
    (
        "few",
        "two|three|four|five|six|seven|eight|nine|a dozen|half a dozen|a handful of|\
         several|a score of|at least {#10-60}|some {#20-90}|nearly {#20-90}",
    ),
    (
        "share",
        "a third|a quarter|a fifth|a tenth|half|two thirds|three quarters|\
         {#11-89} per cent|more than {#11-89} per cent|just {#3-9} per cent",
    ),
    (
        "sum",
        "£{#2-95}.{#1-9}m|£{#11-980},000|£{#2-9}m|just over £{#2-90}m|close to £{#11-95}m|\
         a little under £{#2-90}m|£{#1-4}.{#1-9}bn|around £{#110-990},000",
    ),
    (
        "money",
        "£{#2-95}.{#1-9}m|£{#11-980},000|£{#2-9}m|£{#1-4}.{#1-9}bn",
    ),
    (
        "said",
        "said|told reporters|explained|argued|insisted|added|noted|told a [meeting|\
         gathering|briefing] {when}|wrote in a [letter|statement|note to staff]|\
         said in [an interview|a short statement|a telephone call]|remarked",
    ),
    (
        "spoke",
        "said|explained|argued|insisted|added|noted|remarked|admitted|recalled|suggested|declared",
    ),
    (
        "couple",
        "two|three|four|five|six|several|a pair of|a couple of|some",
    ),
    (
        "spell",
        "[two|three|four|five|six|seven|nine] [hours|days]|a [day|week|fortnight|night and a day]|\
         the best part of a [day|week]|{#20-70} hours|most of the week|more than a [day|week]|\
         [two|three] weeks|a long [weekend|night]",
    ),
    (
        "good",
        "encouraging|welcome|remarkable|sensible|generous|patient|careful|spirited|promising|\
         handy|thoughtful|handsome|reassuring|graceful|timely|candid",
    ),
    (
        "bad",
        "worrying|costly|awkward|painful|reckless|dismal|hasty|shabby|unfair|needless|\
         clumsy|embarrassing|bleak|muddled|wasteful|troubling",
    ),
    (
        "large",
        "large|sweeping|sizeable|considerable|ambitious|vast|substantial|far-reaching|\
         broad|hefty|thorough|wide",
    ),
    (
        "small",
        "small|modest|slender|tiny|slight|narrow|humble|limited|minor|brief",
    ),
    (
        "place",
        "the [old|new] {placehall}|the {placehall} on {street}|{street}|the [northern|\
         southern|eastern|western] edge of {town}|a [rented|crowded|draughty|\
         packed] {placehall}|the [old|new] boathouse on the {river}|the {placehall} behind {street}|\
         [central|suburban] {town}",
    ),
    (
        "placehall",
        "town hall|library|sports centre|corn exchange|community hall|school gym|\
         village hall|railway hotel|market hall|college theatre|church hall|bus depot|\
         assembly rooms|leisure centre|fire station|old bank",
    ),
    (
        "job",
        "retired [teacher|engineer|nurse|bus driver|surveyor|postman]|shopkeeper|florist|\
         carpenter|student|care worker|electrician|librarian|taxi driver|farmer|bookkeeper|\
         barber|caterer|music teacher|childminder|plumber|baker|dental nurse|gardener|\
         shop steward|illustrator|warehouse manager",
    ),
    (
        "thing",
        "the [report|timetable|paperwork|wording|funding|map|schedule]|the [whole|\
         entire] affair|the [first|second|final] [stage|draft|phase]|this [sort|\
         kind] of [work|decision|effort|surprise]|the [mood|weather|crowd|budget|evidence]|\
         what [happened|was said|was promised] {when}",
    ),
    (
        "people",
        "neighbours|families|commuters|pensioners|volunteers|students|traders|parents|\
         visitors|newcomers|shoppers|young people|workers|older residents",
    ),
    (
        "feel",
        "relieved|furious|puzzled|delighted|uneasy|hopeful|sceptical|weary|thrilled|\
         disappointed|cautious|grateful|resigned|impatient|proud",
    ),
    (
        "username",
        "{last}{#10-99}|{townhead}_{streethead}|not_{last}|{first}{last}|\
         the_{streethead}_one|{first}_of_{townhead}|{streethead}{#100-999}",
    ),
];
