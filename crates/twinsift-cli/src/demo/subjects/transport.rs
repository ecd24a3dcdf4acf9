//! Transport: lines, roads, fares and delays.

use super::Subject;

pub(super) const TRANSPORT: Subject = Subject {
    section: "travel",
    cast: &[
        (
            "operator",
            "[{townhead}line|{river} [Trains|Coaches|Ferries|Transit]|[Crosscounty|Northway|Eastlink|Meridian] [Rail|Buses]]",
        ),
        ("line", "the {townhead}{towntail} [branch|line|loop|route]"),
        ("fare", "£{#2-48}.{#10-95}"),
        ("delay", "{#14-190} minutes"),
        ("riders", "{#12-96},{#100-999}"),
        (
            "cause",
            "[signal failure|a cracked rail|driver shortages|swans on the track|a stuck swing bridge|leaf fall|a burst main|cable theft|a runaway tractor|subsidence|a software update|frozen points]",
        ),
    ],
    headlines: &[
        "{cause} brings {line} to a [halt|standstill|crawl]",
        "{line} to [reopen|close|be electrified] after {period}",
        "Fares [up|down] {share} on {line} as {operator} [pleads|blames] {cause}",
        "{riders} [passengers|journeys]: {town} [station|stop] [breaks|misses] record",
        "{p1s} [vows|refuses] to [end|explain] delays of {delay} [near|at] {town}",
    ],
    leads: &[
        "[Passengers|Commuters|Travellers] on {line} [faced|endured] delays of up to {delay} {when} after {cause} [near|just outside] {town} [stopped|held up] {few} [services|departures].",
        "{line}, [closed|shut] {period} ago, is to [reopen|carry passengers again] {soon}, {operator} [announced|confirmed] {when}, with a [single|return] to {townname} at {fare}.",
        "{operator} has [apologised|been fined {sum}|asked for patience] after {cause} [stranded|delayed] {riders} [people|passengers] on {line} {when}.",
        "[Season|Return] tickets on {line} will [rise|fall] to {fare} {soon}, [weeks|months] after {cause} [left|put] {share} of [trains|services] [late|off the timetable].",
        "A record {riders} [people|passengers] [used|boarded at] {town} in {month}, {operator} [said|reported] {when}, [even though|although] {cause} had [shut|blocked] {line} for {spell}.",
    ],
    turns: &[
        &[
            "The [trouble|disruption] [began|started] at {#5-11}.{#10-59}am, when the [driver|guard|signaller] of the {#5-11}.{#10-59} from {townname} [reported|noticed] [smoke|a bang|a red light] [beyond|near] {street}.",
            "[Trains|Buses|Services] were [turned back|held] at {townname} and [replaced|met] by {few} [coaches|minibuses|taxis], which [took|needed] {delay} [longer|more] [over|by way of] the [hill|moor|old] road.",
            "By [noon|teatime|nightfall] [queues|crowds] [reached|stretched] from the [ticket hall|footbridge|taxi rank] [to|into] {street}, and [cups of tea|bottles of water|foil blankets] were [handed out|rationed].",
            "[Boards|Screens|The app] [showed|promised] [trains|departures] that [did not exist|had left|never came], [so|and] {people} [shared|hired] [cars|vans] to {townname}.",
            "{#3-24} of {#26-80} [trains|services] [ran|arrived] [on time|within {delay}] that [day|morning], the [poorest|lowest] [score|figure] [in|for] {period}.",
        ],
        &[
            "{p1}, [managing director|head of operations|route manager] at {operator}, [blamed|cited] {cause} and said [staff|crews] had [worked|stayed on] [all night|for {#13-29} hours]. “{remark}.”",
            "“{remark},” {p1s} {said}, [offering|promising] [refunds|vouchers|free coffee] to [anyone|those] [held up|delayed] for [over|more than] {delay}.",
            "{operator} has [ordered|leased] {#4-60} [battery|hybrid|second-hand|double-deck] [units|vehicles|carriages] for {sum}, the first [due|to run] {soon}.",
            "{p1s} [puts|reckons] the [cost|loss] at {sum} and [wants|expects] [the owner of the track|insurers|the ministry] to [share|cover] it.",
        ],
        &[
            "{p2}, of the {line} [users’ group|passengers’ forum], said [members|regulars] were {feel}: “{remark}.”",
            "A [survey|count] by the [group|forum] of {#240-3900} [riders|travellers] [found|showed] that {share} had [missed|been late for] [work|school|a hospital visit] [at least once|twice] in {month}.",
            "{p2s} [wants|asks for] [longer|earlier|cleaner] [trains|services], [a waiting room|a lift|a canopy] at {townname} and [an end|a stop] to [fares|tickets] above {fare}.",
            "[For|To] {first} {last}, a(n) {job} who [commutes|travels] to {townname} [daily|four days a week], the [journey|trip] [now|sometimes] [costs|takes] {delay} and {fare} [each way|a time].",
            "[Wheelchair|Bicycle] users [complain|report] that {share} of [ramps|lifts|spaces] are [broken|locked|taken], and {p2s} has [written|complained] to the [regulator|watchdog].",
        ],
        &[
            "[Engineers|Surveyors|Divers] will [inspect|replace] {#2-40} [bridges|culverts|points|signals] between {townname} and {street} over {spell}, [mostly|only] [by night|on Sundays].",
            "The [regulator|ministry|county] has [asked|told] {operator} to [publish|send] a [recovery|staffing|winter] plan {soon}, or [lose|hand back] the [contract|franchise].",
            "{p3}, [transport|rail] [spokesman|spokeswoman|adviser] for the county, called the [record|service] {bad} and [hinted|suggested] that {remark}.",
            "[Money|A grant] of {sum} has been [found|set aside] for [passing loops|new signals|a second platform], [enough|] to [allow|run] {#2-6} [trains|buses] an hour instead of [one|two].",
            "[Road|Bridge] works on {street} [add|come] to the [misery|confusion], with [temporary lights|a lane shut] until {#2-28} {month}.",
        ],
        &[
            "{line} opened in {#1846-1912} to [carry|move] [slate|milk|coal|beet|troops], and [lost|kept] its [Sunday|night] [trains|service] in {#1958-1990}.",
            "[Passenger|Rider] numbers have [grown|fallen] by {share} in {period}, [helped|hurt] by [remote work|petrol prices|new housing|the college].",
            "A [new|summer] timetable [takes effect|starts] {soon}, [adding|cutting] {#3-30} [stops|trips] a [day|week] and [ending|restoring] the {#6-11}.{#10-59}pm [to|from] {townname}.",
            "[Freight|Steam] [trains|specials] [use|return to] the [line|route] {soon}, [weather|repairs] permitting.",
            "[Until then|Meanwhile], {operator} [advises|asks] {people} to [check|allow] [times|an extra {delay}] before [setting out|leaving home].",
        ],
    ],
};
