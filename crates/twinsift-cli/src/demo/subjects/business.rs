//! Business: results, openings, closures and those who work there.

use super::Subject;

pub(super) const BUSINESS: Subject = Subject {
    section: "business",
    cast: &[
        (
            "firm",
            "{last} [& Daughters|Holdings|Foods|Textiles|Instruments|Logistics|Brewing|Ceramics|Robotics|Press|Cycles|Pharma]",
        ),
        (
            "trade",
            "[biscuits|bicycle frames|hearing aids|garden furniture|paints|pumps|craft beer|greeting cards|wool carpets|ovens|medical lasers|office chairs|kites|boat engines|cheese|sewing machines]",
        ),
        ("profit", "£{#3-88}.{#1-9}m"),
        ("jobs", "{#45-940}"),
        ("pct", "{#4-38}.{#1-9} per cent"),
        (
            "rivalfirm",
            "{last} [Group|Brothers|Works|Industries|Partners]",
        ),
    ],
    headlines: &[
        "{firm} to [create|cut|move] {jobs} jobs [at|in] {town}",
        "{town} maker of {trade} [posts|reports|books] {profit} [profit|loss]",
        "{firm} [snaps up|courts|walks away from] {rivalfirm} in {money} [deal|bid]",
        "Shares in {firm} [jump|slide|seesaw] {pct} on [orders|outlook|chief’s exit]",
        "{p1s} [steps down|takes over|bets on robots] at {town} {trade} [firm|business]",
    ],
    leads: &[
        "{firm}, the {town} company that makes {trade}, is to [hire|take on|lay off] {jobs} [people|staff] [after|following] a [year|half-year] in which [sales|orders] [moved|changed] by {pct}.",
        "A [maker|manufacturer|supplier] of {trade} that [began|started out] [in a shed|on a market stall|above a bakery] on {street} has [reported|announced] [pre-tax|operating|record] [profits|losses] of {profit}.",
        "{firm} has [agreed|offered] to [buy|merge with|rescue] {rivalfirm} for {sum}, [uniting|bringing together] two of the [oldest|largest|best known] names in {trade}.",
        "[Investors|Markets|Analysts] were [caught off guard|left {feel}] {when} [when|after] {firm}, which sells {trade} in {#12-70} countries, [warned|said] that [margins|orders|costs] had [moved|shifted] by {pct}.",
        "{p1} is to [become|stand down as] chief executive of {firm}, the {trade} [group|business] that [employs|gives work to] {jobs} people in and [around|near] {town}.",
    ],
    turns: &[
        &[
            "[Turnover|Revenue|Income] in the [twelve|six] months to {month} [came to|reached|was] {sum}, [up|down] {pct} on [the year before|the same period].",
            "[Demand|Appetite] for {trade} [grew|cooled|picked up] [most|fastest] in [Scandinavia|Brazil|Japan|the Gulf|Canada|Poland], where {firm} opened {few} [depots|offices|showrooms] {when}.",
            "[Energy|Freight|Cotton|Steel|Timber|Wheat] [prices|bills] [added {sum} to costs|took {sum} from the result|cost {sum} more than planned], the [accounts|figures] [show|reveal], and [sick leave|a late delivery|a computer fault] [cost|did for] a [further|good] {sum}.",
            "The [order book|backlog] [stands|stood] at {sum}, enough to keep the [lines|kilns|looms|vats] [busy|turning] for {period}.",
            "[Online|Repeat|Export] sales now make up {share} of the [total|business], [against|compared with] {share} {period} ago.",
        ],
        &[
            "{p1}, who [joined|came] from {rivalfirm} [as|and was once] a(n) [apprentice|accountant|travelling salesman|lab assistant], {said} [results|numbers] were “{good} but not yet [safe|finished].”",
            "“{remark},” {p1s} [told|wrote to] [shareholders|staff|the stock exchange] {when}.",
            "{p1s} [intends|wants] to [automate|modernise|double] the [packing hall|paint shop|foundry] on {street} and to [cut|raise] [prices|stocks] by {pct}.",
            "[Asked|Pressed] about [pay|dividends|the pension gap], {p1s} [pointed|referred] to a {money} [reserve|provision] and [promised|ruled out] [surprises|a(n) {bad} cut].",
            "The [board|family], which [still|together] [holds|owns] {share} of the [shares|votes], [backs|supports] the [course|plan], [though|even if] {few} [cousins|directors] were {feel}.",
        ],
        &[
            "{p2}, [regional|branch] secretary of the [Allied|United|General] {streethead} [Workers|Crafts] union, said [members|shop stewards] had [learned|heard] of it [by text|at breakfast|from the radio]. “{remark}.”",
            "[Talks|Consultation] with the union [open|begin] {soon}; {p2s} [expects|demands] [retraining|a bonus|guarantees] for those on the [night|late] shift.",
            "[At|By] the gate on {street}, {first} {last}, {#11-38} years on the [line|books], was {feel}: “{remark}.”",
            "{p2s} [fears|hopes] that {share} of the posts will [go|be moved] to {townname}, where [rents|wages|rates] are {#11-60} per cent [lower|cheaper].",
            "[Apprentices|School leavers] from {town} [make up|account for] {share} of the [intake|workforce], a share that {p2s} would like [written down|to grow].",
        ],
        &[
            "{p3}, who [follows|watches] the [sector|trade] for {last} [Securities|Research|Capital], [raised|lowered|kept] [the target|a forecast] to {#110-980}p and called the [shares|stock] {good}.",
            "“{remark},” {spoke} {p3s}, [noting|adding] that {rivalfirm} [trades|sells] at {#6-24} times [earnings|profits].",
            "The shares, [floated|listed] at {#110-480}p in {month} {#1996-2021}, [closed|ended] {pct} [higher|lower] at {#120-990}p, [valuing|leaving] the [company|group] [at|worth] {sum}.",
            "[Rivals|Competitors] are not [idle|asleep]: {rivalfirm} [unveiled|launched] a(n) {large} range of {trade} {when} and [poached|hired] {few} of {firm}’s [designers|buyers].",
            "[Banks|Lenders] have [extended|renewed] a {money} [credit line|loan] until {month}, on [condition|terms] that [debt|borrowing] [falls|stays] below {sum}.",
        ],
        &[
            "[Founded|Set up] in {#1868-1994} by {first} {last}, {firm} [survived|outlived] {few} [recessions|fires|owners] and once made [gas masks|prams|parachutes|radio sets] [between|beside] its {trade}.",
            "The [works|factory|brewery] on {street} [dates|goes back] to {#1868-1974}, and its [chimney|clock|siren] is a [landmark|fixture] [in|of] {town}.",
            "[Interim|Full-year|Quarterly] [figures|results] follow {soon}, [when|and] the [regulator|auditor] is [also|likewise] to [rule|report] on the [merger|accounts].",
            "[Local|Nearby] [cafes|landlords|hauliers] [live|depend] on the [plant|site]: the chamber of commerce [reckons|estimates] it is worth {sum} a year to {town}.",
            "[Shareholders|Members] [vote|meet] at {place} {soon}, with [pay|the name|a share buy-back] [likely|certain] to [cause|bring] [debate|long speeches].",
        ],
    ],
};
