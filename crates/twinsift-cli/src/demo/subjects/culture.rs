//! Culture: festivals, museums, plays and books.

use super::Subject;

pub(super) const CULTURE: Subject = Subject {
    section: "culture",
    cast: &[
        (
            "event",
            "the {town} [Book Festival|Film Week|Lantern Fair|Early Music Days|Sculpture Trail|Fringe|Choir Meeting|Comics Weekend|Puppet Biennale|Folk Gathering]",
        ),
        (
            "adjective",
            "[Paper|Salt|Borrowed|Second|Quiet|Copper|Winter|Left-handed|Drowned|Patient|Glass|Crooked]",
        ),
        (
            "noun",
            "[Lighthouse|Orchard|Clockmaker|Window|River|Ferryman|Choir|Atlas|Garden|Tailor|Harbour|Staircase]",
        ),
        ("work", "“[The|A] {adjective} {noun}”"),
        ("visitors", "{#3-68},{#100-999}"),
        ("ticket", "£{#4-45}"),
        ("acts", "{#18-240}"),
    ],
    headlines: &[
        "{event} [opens|closes|returns] with {acts} [acts|events] and {work}",
        "{p1s}’s {work} [wins|divides|enchants] [audience|critics|jury] [in|at] {town}",
        "{visitors} [flock|turn out|brave rain] for {event}",
        "[Lost|Forgotten|Unseen] {work} [surfaces|goes on show|found] in {townname}",
        "{event} [saved|in doubt|moves] as [sponsor|city|landlord] [steps in|pulls out]",
    ],
    leads: &[
        "{event} [opened|began|got under way] {when} with {work}, a(n) {good} new [play|film|cycle of songs|installation] by {p1} that [had|kept] {visitors} [people|visitors] [talking|on their feet|in their seats].",
        "{p1} has [won|been awarded] the {townhead} Prize [worth|of] {sum} for {work}, a [novel|documentary|tapestry|radio play] [set|made] [among|with] {people} in {town}.",
        "[More than|Some|Almost] {visitors} [people|visitors] [came|travelled] to {event} {when}, [despite|in spite of] [rain|a train strike|tickets at {ticket}|a(n) {bad} review].",
        "A [manuscript|canvas|score|reel of film] [thought|believed] [lost|burned] for {period} has [turned up|been found] [in|behind] {place}: {work}, by {p1}.",
        "[Organisers|Trustees] of {event} [said|announced] {when} that [next year’s|the coming] [edition|programme] will [shrink|grow|move] to {acts} [events|shows], with {work} as its [centrepiece|opening night].",
    ],
    turns: &[
        &[
            "{work} [follows|tells of] a(n) {job} and a(n) {job} who [share|inherit|swap] a [house|boat|secret|piano] on the {river} and [spend|lose] {period} [arguing|writing letters|restoring it].",
            "[Staged|Shown|Hung] in {place}, the [piece|work] uses {#3-60} [mirrors|lamps|voices|looms|typewriters] and [real|spilt|borrowed] [snow|sand|wine|wheat], [to|with] {good} effect.",
            "The [plot|melody|design], [taken|adapted] from a [ballad|court record|family album|weather diary] of {#1790-1960}, [wanders|leaps] between {townname} and [the sea|an island|the moon|wartime] [without|with little] [fuss|warning].",
            "[Costumes|Sets|Lighting] by {first} {last} [recall|quote] [old seed packets|railway posters|tarot cards|tiled kitchens], and [a brass band|a viol consort|a single drum|taped birdsong] [fills|marks] the [gaps|scene changes].",
            "It [runs|lasts] for {#1-4} hours and {#10-55} minutes, [with|without] an interval, [and|though] {share} of the [house|audience] [stayed|queued] for the [talk|signing] afterwards.",
        ],
        &[
            "{p1s}, {#24-81}, [grew up|was raised] above a [chip shop|bicycle shop|laundry] on {street} and [worked|earned a living] as a(n) {job} [before|until] [a first exhibition|a short story|a lucky audition] in {#1979-2018}.",
            "“{remark},” {p1s} [told|said to] the [audience|jury|press], [clutching|wearing] a [borrowed|muddy] [coat|hat|bouquet].",
            "{p1s} [made|wrote] it [over|in] {period}, [mostly|often] [at night|on trains|in a caravan], and [threw|gave] away {share} of the [draft|footage|sketches].",
            "[Collaborators|Friends] [speak|tell] of a(n) {good} but [stubborn|restless|shy] [mind|worker] who [rings|writes] at [dawn|odd hours] and [never|seldom] [sits|repeats a joke].",
        ],
        &[
            "{p2}, [director|curator|head] of {event}, [promises|listed] {acts} [events|artists] from {#9-41} countries, [among them|including] [a silent opera|a cinema on a barge|midnight readings|a choir of bus drivers].",
            "“{remark},” {spoke} {p2s}, [who took over|appointed] in {month} after {first} {last} [left|retired].",
            "[Tickets|Passes] [cost|start at] {ticket}, and {share} of the [seats|places] are [free|half price] for [under-{#18-26}s|students|neighbours of {place}].",
            "The [budget|purse] of {sum} comes [from|out of] [the city|ticket sales|a brewer|a bequest] and [covers|buys] [fees|buses|marquees|rain cover], {p2s} said, but no [frills|fireworks].",
            "[Volunteers|Stewards], {#40-390} [of them|in all], [sleep|camp] [in|behind] {place} and are [paid|thanked] in [soup|tickets|badges].",
        ],
        &[
            "[Critics|Reviewers] were [divided|kind|slow to agree]. {p3}, of the {townhead} [Review|Quarterly|Gazette], found it {good} and [too long|brave|oddly moving]; [others|one] called it {bad}.",
            "“{remark},” [wrote|{spoke}] {p3}, [giving|awarding] it [two|three|four|five] stars [out of five|].",
            "[Booksellers|Galleries|Cinemas] in {town} [sold|shifted] {#140-4900} [copies|prints|tickets] in {spell}, [most|half] of them to {people} from [elsewhere|{townname}].",
            "[Hotels|Landlords|Bakers] [report|recorded] {#11-70} per cent more [trade|bookings] than [a year ago|in {month}], [worth|or] {sum} to the [town|local economy].",
            "[Complaints|Grumbles] [came|arrived] too: about [drums|parking|portable toilets|a naked flute player], {#12-140} [in all|of them], {p2s} [admitted|counted].",
        ],
        &[
            "{work} [moves|transfers|tours] to {townname} {soon}, then to {#3-22} [libraries|arts centres|churches|piers] [around|up and down] the [coast|country].",
            "The [museum|library|archive] has [raised|found] {sum} to [buy|restore] the [piece|collection] and [hopes|means] to [show|hang] it {soon}.",
            "{event} was [founded|started] in {#1951-2009} by {few} [friends|teachers|dockers] with £{#20-400} and a [borrowed|leaking] [tent|van].",
            "[Next|This coming] {day} [brings|sees] [a workshop|an open rehearsal|a children’s parade] at {place}, [from|at] {#9-11}am.",
            "[A decision|News] on the [future|funding] of {event} is [promised|expected] {soon}; {p2s} is {feel}.",
        ],
    ],
};
