//! Weather: storms, floods, heat and snow, and what they leave behind.

use super::Subject;

pub(super) const WEATHER: Subject = Subject {
    section: "weather",
    cast: &[
        ("storm", "Storm {first}"),
        ("gust", "{#58-96}mph"),
        ("rain", "{#28-140}mm"),
        ("homes", "{#1100-9900}"),
        ("valley", "the {river} valley"),
        (
            "alert",
            "[an amber|a red|a yellow|a severe] [warning|alert]",
        ),
    ],
    headlines: &[
        "{storm} [batters|lashes|hits|soaks] {town}: {homes} [homes|customers] [in the dark|without power]",
        "{rain} of rain in {#5-30} hours: {valley} [counts the cost|under water|mops up]",
        "{alert} [issued|extended|lifted] for {valley} as {storm} [nears|passes|stalls]",
        "{gust} winds [tear|rip] [roofs|cladding|scaffolding] from {street} in {town}",
        "“{remark}”: {town} after {storm}",
    ],
    leads: &[
        "{storm} [swept|roared|tore] across {valley} {when}, [cutting|knocking out] power to {homes} [homes|properties] and [closing|blocking] {few} roads [around|near] {town}.",
        "[Crews|Engineers] were [working|toiling] {when} to [restore|repair] [lines|supplies] to {homes} [households|addresses] in and around {town} after gusts of {gust} [brought down|felled] {few} [trees|pylons|masts].",
        "{people} in {town} were [moved|led|ferried] to {place} {when} when the {river} [burst|overtopped] its banks after {rain} of [rain|downpours] in [less than|under] a day.",
        "Forecasters have [issued|renewed|raised] {alert} for {valley}, where {storm} is [expected|likely] to [drop|bring] {rain} of [rain|sleet|snow] and gusts of {gust} {soon}.",
        "The [worst|wettest|wildest] of {storm} is [over|past], but {town} [woke|rose] {when} to [flooded|blocked|silent] streets and {homes} [cold|dark] homes.",
    ],
    turns: &[
        &[
            "a(n) [gauge|station|mast] at {townname} [measured|logged|recorded] {gust} at {#1-11}.{#10-59}am, the [strongest|highest] [reading|value] [there|at that spot] [for|in] {period}.",
            "On the {river} the [level|gauge] [peaked|crested] at {#2-6}.{#10-99} metres, [a hand’s breadth|{#4-60}cm] [short of|above] the mark [set|left] in {month} {#1947-2019}.",
            "[Hail|Sleet|Slush|Standing water] turned the {#30-98}-mile [route|drive] [over|past] {townhead} [Moor|Fell|Top] into a(n) {bad} [trap|ordeal], and {few} [drivers|lorries] [spent|passed] the night in [lay-bys|a school|a chapel].",
            "[Rain|Snow] [fell|set in] [steadily|without a break] from {#2-9}pm, [first|initially] on the [hills|coast|moors] and [then|by midnight] over {street} and the [lower|older] [quarters|streets].",
            "{storm} is the [third|fourth|sixth|ninth] [named|big] storm of the [season|winter|year], [one|two] more than [average|usual] [by|for] {month}.",
        ],
        &[
            "On {street} a [chimney|gable|poplar|shop sign|trampoline] [crashed|landed] [on|through] a [parked|passing] [van|bus|car]; [its driver|a child|nobody] [escaped|climbed out] [unhurt|with scratches].",
            "[Cellars|Basements] [filled|flooded] along {street}, where {p3}, a(n) {job}, had [stacked|piled] [sandbags|flour sacks|planks] [against|before] the door since {#4-11}am.",
            "The [bridge|ford|underpass] at {townname} [stayed|was] [shut|closed], [forcing|sending] [buses|ambulances|milk lorries] on a(n) {#9-40}-mile [detour|loop] through {townname}.",
            "{few} [schools|nurseries|surgeries] [did not open|sent pupils home|ran on generators], and [bins|post|bread deliveries] were [suspended|late] for {spell}.",
            "[Farmers|Shepherds] [led|drove] {#40-900} [ewes|heifers|goats] to [higher|drier] ground [above|beyond] {townname}, [losing|though not without losing] {few} of them.",
        ],
        &[
            "{p1}, [duty|chief|regional] forecaster at the {townhead} weather [centre|office], said the [jet stream|low|front] had [moved|shifted] [north|south] [faster|slower] than [models|charts] had [suggested|shown]. “{remark}.”",
            "“{remark},” {spoke} {p1}, [who expects|predicting] {rain} [more|again] on [exposed|western|northern] slopes {soon}.",
            "[Warm|Moist|Unstable] air from the [south-west|Atlantic|North Sea] [met|ran into] a [cold|stubborn] [block|ridge] over the [hills|coast], {p1s} explained, [and|so that] [cloud|rain] [piled up|stalled] for {spell}.",
            "{p1s}’s [team|office] had [warned|given notice] [two|three|four] days [ahead|earlier], [yet|although] {share} of {people} [polled|asked] [said|claimed] they [had heard nothing|ignored it].",
        ],
        &[
            "{p2}, who [leads|commands|runs] the [county|district] [rescue team|fire brigade|emergency room], [reported|listed] {#110-940} calls in [one|a single] [night|shift], {share} of them [about|for] [trapped cars|fallen trees|flooded shops].",
            "The [power|network] company [flew in|called up] {#40-320} [fitters|engineers] from {townname} and [hoped|promised] to [reconnect|reach] {share} of [customers|those cut off] {soon}.",
            "A [rest|reception] centre at {place} [offered|handed out] [soup|blankets|camp beds|phone chargers] to {#30-410} {people}, and {p2s} [thanked|praised] [neighbours|bakers|scouts] who had [helped|cooked].",
            "[Volunteers|Soldiers|Students] [filled|carried] {#1200-9900} sandbags along {street} [by|before] {#3-11}pm, a(n) {good} [effort|piece of work], [in|according to] {p2s}’s [words|view].",
            "[Trains|Trams|Ferries] [between|from] {town} and {townname} [remain|were] [suspended|halved], with [landslips|ballast washed out|a tree on the wires] at {few} [places|points].",
        ],
        &[
            "[Insurers|Loss adjusters] put the [damage|bill] at {sum} [so far|at first sight], [well|some way] [below|above] the {money} [paid out|claimed] after {storm}’s [predecessor|cousin] in {month}.",
            "[a(n) {large} scheme|Work] to [raise|lengthen] the [embankment|flood wall] [by|below] {street} was [agreed|costed] {period} ago but [never|only partly] [built|paid for].",
            "[Drier|Colder|Calmer] [air|weather] [arrives|is due] {soon}, with [night frost|bright spells|highs of {#4-19}C], [before|until] [another|the next] low [crosses|reaches] the [coast|region].",
            "{p3s} [plans|means] to [reopen|start again] {soon}. “{remark},” said {p3}, [broom|bucket|torch] in hand.",
            "[Reservoirs|Water tables] that were {#11-60} per cent [full|below normal] in {month} are [brimming|back to normal], one [small|unlooked-for] [comfort|gain] for [growers|water firms].",
        ],
    ],
};
