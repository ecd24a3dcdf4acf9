//! What is said in stories of every subject: voices, backgrounds, endings.
//!
//! A subject brings its own facts; the people around it talk alike everywhere.

/// Every list of phrases by its name.
pub(super) const LISTS: &[(&str, &[&str])] = &[
    // `{who}` is the speaker, chosen by the teller of the story.
    (
        "quote",
        &[
            "“{remark},” {who} {said}. “{remark}.”",
            "“{remark},” {spoke} {who}. “{remark}, and {remark}.”",
            "{who} {said} that {view}. “{remark},” came the [reply|answer] when [pressed|asked again].",
            "“{remark}. {remark},” {spoke} {who}.",
            "Asked about {thing}, {who} [paused|smiled|sighed|did not hesitate]. “{remark}.”",
            "“If anything, {remark},” {spoke} {who}, who has [followed|lived with|studied|dealt with] such [matters|questions|cases] for {period}.",
            "For {who}, {view}. “And {remark}.”",
            "“[Look|Listen|Well|Frankly|Honestly], {remark},” {who} {said} {when}. “But {remark}.”",
            "In the [words|view|opinion] of {who}, {view}.",
            "{who} was [blunt|brief|careful|more guarded]: “{remark}.”",
        ],
    ),
    // What anybody could say, also in somebody else's words.
    (
        "view",
        &[
            "{thing} [is|was] more {good} than [anyone|most people|the critics] [expected|hoped|would admit]",
            "there was [still a|a great] deal to [do|learn|check|repair] before {month}",
            "{people} deserved [better|a straight answer|an apology|a little {good} news] after {period}",
            "{thing} could not be [rushed|wished away|left to chance|decided by email]",
            "{share} of {people} [agreed|complained|had noticed] that {thing} was {bad}",
            "nobody [knew|had asked|had counted|would say] how {people} [managed|coped|felt] [before|in {month}]",
            "{thing} had {good} [sides|points] and {bad} ones, [like most things|as ever]",
            "[every|any] {job} in {town} could have [foreseen|explained|settled] it [years ago|for nothing|in {spell}]",
            "it would be {bad} to [pretend|suggest|claim] that {thing} [did not matter|would sort itself out|came cheap]",
            "the [easy|obvious|cheap] [answers|remedies] had [all|long] been [tried|forgotten], {couple} of them [twice|near {street}]",
            "a(n) {good} [start|word|gesture] [mattered|counted] more than [money|speeches|a headline]",
            "{people} and {people} [wanted|needed|feared] the same [thing|three things], only [at different hours|for other reasons|louder]",
        ],
    ),
    // What people say in the first person.
    (
        "remark",
        &[
            "[we|people here] have waited {period} for [this|an answer|some {good} news]",
            "nobody [who lives here|on this street|I have spoken to] thinks {thing} [was|is] {bad}",
            "we [looked|asked|listened] [hard|carefully|twice], and {thing} came out [on top|as {good}|badly]",
            "I have [never|rarely|seldom] seen {people} so {feel} about {thing}",
            "this [began|started] with {few} {people} around a [kitchen|trestle|pub] table",
            "[you|we] only have to [walk|drive|cycle] down {street} to see [why|the problem|the difference]",
            "we [made|drew up|kept] a list, and {thing} was [first|last|missing] on it",
            "[my|our] [biggest|only|main] [fear|hope|regret] is that {thing} will be [forgotten|copied|watered down]",
            "the [honest|short|polite] answer is that nobody [knows|asked|counted]",
            "we are {feel}, [naturally|of course|to put it mildly], but not [surprised|beaten|finished]",
            "there were [tears|cheers|long faces|a few jokes] when {thing} [came up|was read out|sank in]",
            "we would [rather|sooner] get {thing} right than [fast|cheap|first]",
            "[once|when] the [dust|snow|noise] settles, {people} will [ask|remember] who [paid|stayed|helped]",
            "it took {spell} and [far|rather] more [tea|patience|paper] than [planned|anyone admits]",
            "[show|give] me [one|a single] {job} who [likes|understands|voted for] {thing} and I will [eat my hat|buy the tea|say sorry]",
            "my [mother|grandfather|brother|neighbour], a(n) {job}, would have [laughed|wept|been {feel}] at {thing}",
            "I [slept|ate|spoke] very little for {spell}, and [then|afterwards] came the [letters|telephone calls|cakes|bills]",
            "[ask|trust] {people}, not [experts|the papers|me]: they [notice|remember|pay for] {thing}",
            "we [counted|owed|lost] {few} [hours|pages|favours|pounds] over {thing}, and [nobody|only {people}] [noticed|minded|said thank you]",
            "if {thing} [goes|went] wrong, [call|blame] me, not {people}",
            "{period} from now this will [look|seem|sound] {good}, or [very|simply] {bad}, [depending|and no one can tell which]",
            "I [promised|told] {people} that {thing} would be {good}, and I [meant|mean] it",
            "[half|most] of what [you|people] [read|hear] about {thing} is {bad} [nonsense|guesswork|gossip]",
            "it is [hardly|not] the first time {people} were {feel} [here|about {thing}], and they [got over it|were right|won]",
        ],
    ),
    (
        "bystander",
        &[
            "{first} {last}, a(n) {job} who lives [near|off|on] {street}, said {people} were {feel}. “{remark}.”",
            "Among those [watching|waiting|listening] was {first} {last}, {#19-86}, a(n) {job}. “{remark},” [was the verdict|came the answer].",
            "Not [everyone|all {people}] [agreed|took the same view]. {first} {last}, a(n) {job}, called it {bad} and said {view}.",
            "“{remark},” said {first} {last}, {#19-86}, outside {place}.",
            "{people} [interviewed|questioned|stopped] near {place} {when} seemed {feel}. {first} {last}, a(n) {job}, said {view}.",
            "{first} {last} and {first} {last}, each a(n) {job}, had [travelled|walked|come] from {townname}. “{remark},” they said.",
            "One {job}, who [asked|preferred] not to be named, said that {view}.",
            "On {street} the [talk|gossip] was of little else. “{remark},” said {first} {last}, a(n) {job}.",
        ],
    ),
    (
        "context",
        &[
            "A [similar|comparable] [case|episode|attempt] in {townname} {period} ago [ended|finished] in [stalemate|celebration|a modest success|disarray].",
            "{town}, which [lies|sits] on the {river}, has [about|roughly|almost] {#11-290},{#100-999} [inhabitants|residents] and [two|three] [local papers|railway stations|theatres|markets].",
            "[Figures|Statistics|Records] [released|made public|gathered] {when} [suggest|show] that {share} of {people} in the [district|region|area] are [affected|in favour|undecided|unaware of it].",
            "It is the [second|third|fourth|fifth] time in {period} that {town} has made [national|regional] headlines, the [last|previous] one [being|over] a(n) {bad} [dispute|mix-up|fire|flood] [near|at] {place}.",
            "Neighbouring {townname} went through [much the same|something alike] in {month} and [came out|emerged] {feel}.",
            "[A|One] study of {few} [towns|districts] [found|concluded] that {share} of such [efforts|plans|stories] [last|survive] for {period}.",
            "Older [hands|readers] will [remember|recall] the {bad} [winter|summer|autumn] when the {placehall} on {street} was [closed|flooded|sold|rebuilt] for {spell}.",
            "The [subject|matter|question] had been [raised|aired] {when} at {place}, where {few} {people} [turned up|took the floor|signed a petition].",
        ],
    ),
    (
        "ending",
        &[
            "A further [announcement|update|statement] is [due|expected] {soon}.",
            "[Anyone|Readers] with [information|questions|views] can [write to|call at] {place} until {#2-28} {month}.",
            "A [public|open] [meeting|session] will be held at {place} on {#2-28} {month}, [starting|beginning] at {#5-8}pm.",
            "[Whether|How long] that will [last|hold|be enough] is [anyone’s guess|another matter|hard to tell]: {people} in {town} [remain|sound] {feel}.",
            "For now, {people} [must|will have to] [wait|be patient|make do]. “{remark},” said {p2}.",
            "As the [lights went out|doors closed|chairs were stacked] at {place} {when}, {p1s} was [already|still] at work.",
            "The [next|last] word may [belong|fall] to {people} themselves, {few} of whom plan to [gather|speak up|march] {soon}.",
            "{p3s}, meanwhile, has [promised|agreed] to [report back|return|publish the details] [before|by the end of] {month}.",
        ],
    ),
    // Below the story, by readers.
    (
        "comment",
        &[
            "[Typical|Hardly news|About time|Well said]. {remark}.",
            "I live [near|two streets from] {street} and I can tell you {view}.",
            "Does [anybody|the writer] [really|seriously] believe {view}? I am {feel}.",
            "My [aunt|neighbour|uncle|landlord] is a(n) {job} and [always says|swears] {view}.",
            "[Good|Fair|Decent] piece, though I [doubt|wonder whether] {thing} will [change|last].",
            "{people} in {townname} had this {period} ago. {remark}.",
            "So {share} of us pay and {share} of us [wait|complain]. {bad}, if you ask me.",
            "[Thanks|Cheers] to the reporter for [asking about|checking] {thing}. {remark}.",
        ],
    ),
];
