//! Sport: matches, their turning points, and what the table says.

use super::Subject;

pub(super) const SPORT: Subject = Subject {
    section: "sport",
    cast: &[
        (
            "club",
            "{townhead}{towntail} [Rovers|Athletic|Wanderers|Albion|Town|Harriers|Rangers|Victoria]",
        ),
        (
            "rival",
            "{townhead}{towntail} [United|City|Thistle|Borough|Swifts|Orient|Corinthians|Argyle]",
        ),
        (
            "ground",
            "the {streethead} [Park|Ground|Arena|Lane End|Meadow]",
        ),
        ("score", "[1-0|2-0|2-1|3-0|3-1|3-2|4-1|4-2|4-3|5-2]"),
        ("minute", "{#3-44}"),
        ("late", "{#61-93}"),
        ("gate", "{#11-38},{#100-999}"),
    ],
    headlines: &[
        "{p1s} [strikes late|at the double|the hero|spot on] as {club} [sink|stun|edge] {rival}",
        "{rival} [undone|beaten|left {feel}] at {ground} as {club} [climb|march on|survive]",
        "{score}: {club} and {rival} serve up {good} [derby|cup tie|thriller]",
        "{p2s} [hails|blasts|shields] [young|weary|patched-up] {club} side after {score} [epic|afternoon]",
        "Drama in minute {late} [keeps|puts] {club} [on course|in the hunt|out of danger]",
    ],
    leads: &[
        "{p1} [struck|scored|pounced] in the {late}th minute to [hand|earn|give] {club} a(n) {good} [win|victory] over {rival} [before|in front of] {gate} at {ground} {when}.",
        "{club} [came from behind|recovered|fought back] to [overcome|defeat|beat] {rival} {score} {when}, a [result|scoreline] that [lifts|sends] them [into|up to] [second|third|fifth|eighth] place.",
        "On a [sodden|frosty|blustery|sun-baked] pitch at {ground}, {club} and {rival} [traded|exchanged] [goals|blows|chances] for {#90-96} minutes {when} until {p1} [settled|decided] [it|matters].",
        "There was a(n) {bad} [start|opening] and a(n) {good} [end|finish] for {club}, who [saw off|got past] {rival} {score} at {ground} {when}.",
        "{rival} have [lost|dropped points] away from home for the [fourth|sixth|seventh] time [running|in a row], {p1} [doing|causing] most of the [damage|harm] for {club} {when}.",
    ],
    turns: &[
        &[
            "The visitors had [led|gone ahead] after {minute} minutes, [when|as] {first} {last} [bundled|headed|curled] in a(n) [corner|free kick|loose ball] that {couple} [defenders|bodies] had [left|missed].",
            "It took [only|barely] {minute} minutes for the [first|opening] [goal|chance], {p3} [breaking|drifting] [inside|clear] from the [left|right] and [lashing|rolling|chipping] the ball past {first} {last}.",
            "{rival} [began|started] the [brighter|livelier], [hitting|rattling] the [bar|post] through {last} and [forcing|drawing] {couple} [saves|corners] before the [quarter-hour|half-hour].",
            "[Rain|Wind|Fog|Low sun] turned [passing|crossing|defending] into a(n) {bad} [business|lottery], and the [best|clearest] [opening|moment] of the half fell to {last}, who [sliced|scuffed|skied] it [wide|over].",
            "[Injury|Illness|Suspension] had [robbed|deprived] {club} of {couple} [regulars|starters], so {first} {last}, {#17-19}, was [given|handed] a debut [at full back|in midfield|up front|in goal].",
        ],
        &[
            "[Parity|The equaliser] [arrived|came] {#2-14} minutes [after|into] the [break|restart], {p3s} [sliding|nodding|volleying] home {last}’s [cross|pass|low centre].",
            "Then, in the {late}th minute, {p1s} [rose|turned|darted] [between|ahead of] [two|three] [markers|centre halves] and [found|picked out] the [far|near|top] corner [from|at] {#6-28} yards.",
            "The [referee|official], {first} {last}, [pointed|ran] to the [spot|touchline] after [a handball|a tangle of legs|a push on {p3s}], and {p1s} [made no mistake|kept calm|sent the keeper sprawling].",
            "{rival} [finished|ended] with [ten|nine] men, {last} [walking|being dismissed] for a [second booking|late lunge|foul mouth] [moments|minutes] [later|from time].",
            "[Twice|Three times] {first} {last} was [called on|needed] to [tip|claw|beat] [shots|efforts] [away|round the post], the [finest|best] of them from {p3s} [with|after] {#62-89} minutes [gone|played].",
            "[Substitute|Winger|Captain] {first} {last} [changed|swung] the [mood|game], [winning|earning] {couple} free kicks and [unsettling|tormenting] a [tired|square|nervous] back line.",
        ],
        &[
            "{p2}, the {club} [manager|head coach], [praised|singled out] the [bench|young ones|midfield]: “{remark}.”",
            "“{remark},” {p2s} {said}, [adding|before adding] that the [dressing room|squad] had been {feel} at [the interval|half-time].",
            "{p2s} [dropped|rested] {couple} [players|names] from the [side|eleven] [held|beaten] at {townname} {when}, a choice that [felt|looked|sounded] {bad} until the [hour|last] [mark|quarter].",
            "It was {p2s}’s {#2-9}th [win|draw|derby] since [replacing|succeeding] {first} {last} in {month}, and [perhaps|surely] the most {good}.",
            "The {rival} coach, {first} {last}, was {feel} about the [penalty|red card|added time]: “{remark}.”",
        ],
        &[
            "{p1s}, a(n) [{money} signing|academy product|loan player] from {townname}, now has {#6-29} goals in {#12-48} [games|outings] and a(n) {good} [run|record] [against|in] [derbies|the top six].",
            "The [club doctor|physio] [will|is to] [scan|examine] {p3s}’s [knee|hamstring|ankle|shoulder] {soon}, and {p3s} may [miss|sit out] [three|four|five|six|eight] [weeks|games].",
            "[Statistics|The numbers] [favoured|flattered] the [losers|visitors], who had {share} of the [ball|possession], {#9-24} [shots|attempts] and {#3-15} corners.",
            "{gate} was the [best|highest] gate at {ground} [for|in] {period}, [helped|swollen] by {#1100-4900} who had [travelled|come] from {townname} [by train|by coach|on foot].",
            "[Supporters|Fans] [sang|stayed] [long|well] past the whistle, [many|some] in [scarves|shirts|hats] from the [cup|promotion] [season|year] {period} ago.",
        ],
        &[
            "{club} [travel|go] to {townname} {soon}, [while|as] {rival} [host|meet] a {townhead}{towntail} side that has [won|lost] [four|five|six] [straight|on the trot].",
            "With {#4-19} [fixtures|matches] left, {club} have {#31-74} points, [four|five|seven] [more|fewer] than at this [stage|point] [last term|a year ago].",
            "The [draw|line-up] for the [next|fifth|last] round [takes place|is made] {soon}, and {p2s} would [love|prefer|dread] [a home tie|a trip to {townname}|a rest].",
            "[Season|Matchday] tickets for the [return|replay] go on sale at {place} {soon} at £{#9-38} [each|for adults].",
            "The [youth|women’s|reserve] team, [meanwhile|for their part], [beat|saw off] {townname} [3-1|4-0|2-1|5-2|1-0|6-3] {when}, {first} {last} [scoring|claiming] [twice|a hat-trick].",
        ],
    ],
};
