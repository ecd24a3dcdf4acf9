//! Science: findings, how they were made, and who doubts them.

use super::Subject;

pub(super) const SCIENCE: Subject = Subject {
    section: "science",
    cast: &[
        (
            "lab",
            "the {last} [Institute|Laboratory|Observatory|Centre|School of Medicine] in {town}",
        ),
        (
            "topic",
            "[swifts|peat bogs|sleepwalkers|bread moulds|honeybees|old glaciers|eels|barn owls|city trees|wild yeasts|milk teeth|beetles|mudflats|lichens|meteorites|hedgehogs|seagrass meadows|river stones|snow crystals|rooks]",
        ),
        ("sample", "{#140-9800}"),
        ("effect", "{#6-47} per cent"),
        (
            "journal",
            "the [Annals|Journal|Archives|Proceedings] of [Applied Ecology|Field Biology|Earth Records|Clinical Practice|Comparative Physiology|Slow Processes]",
        ),
        (
            "tool",
            "[a borrowed microscope|lasers|drones|old tax rolls|tree rings|a kitchen freezer|radio tags|gene sequencing|satellite pictures|a disused mine|neutron beams|church records]",
        ),
    ],
    headlines: &[
        "Study of {topic} [overturns|confirms|refines] {#9-80}-year-old [rule|belief|habit of thought]",
        "What {topic} [tell|teach] us: {town} team [finds|reports] {effect} [change|shift|gap]",
        "How {tool} [helped|let] [scientists|researchers] [read|map|count] {topic}",
        "{p1s} and the [riddle|secret] of {topic}: [an answer|a clue] after {period}",
        "{sample} samples later, {topic} [still surprise|give up a secret|divide experts]",
    ],
    leads: &[
        "[Researchers|Scientists|A team] at {lab} [have used|turned to] {tool} to [show|establish] that {topic} [respond|react] to [warmth|noise|light|drought|salt] {effect} [faster|more slowly|more strongly] than [textbooks|models] [say|claim].",
        "A {#2-9}-year [study|survey|count] of {topic}, [published|out] {when} in {journal}, [casts doubt on|lends weight to|upends] one of the [tidier|oldest|best loved] [ideas|rules] in the field.",
        "[By|After] [measuring|collecting|comparing] {sample} [samples|records|specimens], {p1} of {lab} has [found|traced] a {effect} [shift|decline|rise] in {topic} that [nobody|few] had [noticed|expected].",
        "{topic} have been [misread|underrated|counted wrongly] for {period}, [according to|say the authors of] a paper in {journal} that [draws|rests] on {sample} [observations|measurements] and {tool}.",
        "it [began|started] with a [stain|hum|wrong label|broken pump] and [ended|led] {when} in {journal}: {p1}, of {lab}, [believes|thinks] {topic} [hold|carry] a [record|memory] of [past|ancient] [summers|storms|diets].",
    ],
    turns: &[
        &[
            "The [group|team] [spent|passed] {period} [on|along] the {river}, [taking|logging] {sample} [readings|cores|swabs] [by hand|at dawn|in all weathers] and [freezing|drying|sorting] them in {place}.",
            "[Half|A third|Most] of the {sample} [records|specimens] came from [amateurs|schools|museum drawers|night-shift nurses], the [others|rest] from [plots|traps|buoys] [near|outside] {townname}.",
            "With {tool} the [authors|team] could [follow|resolve] [changes|differences] of [less than|about] [a hair’s width|a tenth of a degree|one part in {#200-9000}], [far|well] [below|beyond] what was [possible|usual] {period} ago.",
            "[Two|Three|Four] [groups|sets] were [compared|followed]: [one|the first] [kept|left] in [shade|silence|fresh water], the [other|second] [exposed|moved] to [road noise|lamp light|{#18-41}C|brine] for {period}.",
            "[Pilot|Early] [work|trials] [failed|went astray] [twice|three times], once [because of|thanks to] [mice|a power cut|mislabelled jars|a flood], and [money|patience] [ran|wore] thin.",
        ],
        &[
            "The [effect|signal|pattern] [held|persisted] [after|when] [age|season|height|diet] was [allowed for|stripped out], and [reached|came to] {effect} in [females|the young|northern plots|city samples].",
            "[Surprisingly|To their surprise], [older|wetter|smaller|southern] [samples|sites] [changed|moved] [least|first], {share} of them [not at all|within {period}].",
            "[Statistically|On paper] the [odds|chance] of such a [gap|result] by [accident|luck] are [one|less than one] in {#90-4000}, [though|but] the [authors|referees] [urge|counsel] caution.",
            "A [protein|pigment|salt|bacterium|fungus] [called|labelled] {townhead}-{#2-99} [seems|appears] to [act|serve] as a [switch|clock|sponge|brake], [building up|vanishing] [overnight|in spring|under stress].",
            "[Maps|Charts] drawn from the [data|records] [show|trace] a [line|front] that has [crept|moved] {#2-90} [miles|metres] [north|uphill|inland] [in|over] {period}.",
        ],
        &[
            "“{remark},” {spoke} {p1}, [lead|senior|first] author of the [paper|study] and a [former|trained] {job}.",
            "{p1s} [first|] [became curious about|fell for] {topic} [as a child|during the lockdown|on a walk near {townname}|in a(n) {bad} job interview], and [keeps|has kept] [notes|jars|tapes] ever since.",
            "{p1s} [warns|cautions] against making [too much|a creed|a headline] of it: “{remark}.”",
            "[Next|Now] {p1s} [hopes|wants] to [repeat|extend] the [work|count] in {townname}, with [twice|three times] as many [sites|samples] and [cheaper|smaller|tougher] [sensors|kit].",
        ],
        &[
            "{p2}, an expert [on|in] {topic} at the University of {townhead}{towntail} who was not [involved|part of it], called the [paper|work] {good}. “{remark}.”",
            "[Others|Some] are [less|not] [convinced|won over]. {p2s} [points|draws attention] to the [choice|scarcity] of [controls|winter data|southern sites] and [would like|asks] to see the [raw|full] [tables|records].",
            "A [rival|similar] group in {townname} [reported|found] [only|no more than] {#2-9} per cent {when}, [using|with] {#40-900} [samples|animals|cores] and [an older|a different] [method|scale].",
            "{p3}, who [edits|reviews for] {journal}, said the [referees|reviewers] had [asked for|wanted] {few} [changes|checks] [but|and] [agreed|recommended] [publication|acceptance] within {spell}.",
            "For [doctors|farmers|planners|beekeepers|anglers], {p2s} said, the [lesson|upshot] is [simple|practical]: [plant|water|measure|prune|harvest] [earlier|later|less|more often].",
        ],
        &[
            "The [study|project] cost {sum}, [paid|met] [by|from] [a seed trust|the research council|a brewery|lottery funds|a crowd appeal], and [kept|gave work to] {#3-24} [people|students] for {period}.",
            "[All|The] [data|records] and [code|notebooks] [can be|are to be] [downloaded|inspected] {soon}, and {people} [are invited|may volunteer] to [help|count|listen] [near|around] {place}.",
            "{topic} [occur|are found] in {share} of [the country|parishes|counties], but [numbers|sightings] have [fallen|swung|grown] by {effect} since {#1969-2012}.",
            "[An exhibition|A talk|A film] about the [work|find] [opens|is shown] at {place} {soon}, [entry|admission] [free|£{#2-9}].",
            "[A decision|A vote] on [funding|money] for the [next|second] phase is due {soon}; {p3s} [sits|is] on the [panel|board] that [decides|votes].",
        ],
    ],
};
