//! Local politics: plans, votes, budgets, and those who object.

use super::Subject;

pub(super) const COUNCIL: Subject = Subject {
    section: "politics",
    cast: &[
        (
            "council",
            "{town} [City|Borough|Town|District|County] Council",
        ),
        (
            "plan",
            "[a lido|a covered market|a tram depot|a skate park|flood barriers|a second library|a cycle hub|a heat network|allotments|a night shelter|a wind farm|a music school|a footbridge|a care home|a recycling yard|a multi-storey car park]",
        ),
        ("site", "{street}"),
        ("cost", "£{#2-94}.{#1-9}m"),
        ("ayes", "{#19-41}"),
        ("noes", "{#4-18}"),
    ],
    headlines: &[
        "{town} [councillors|members] [back|approve|reject|postpone] plans for {plan} [near|off|on] {site}",
        "Row over {cost} [bill|budget] for {plan} splits {town} chamber",
        "{plan} on {site}: {ayes} [say yes|in favour] after {#3-9}-hour debate",
        "{p1s} [defends|attacks|promises to revise] {cost} scheme as {people} [protest|celebrate|wait]",
        "[Green light|Delay|Narrow win|Setback] for {plan} in {town}",
        "{town} [wants|is to get|turns down] {plan}, but who will pay the {cost}?",
    ],
    leads: &[
        "[Plans|Proposals] to build {plan} on {site} were [approved|waved through|accepted] by {council} {when}, [by|with] {ayes} votes to {noes}, after {people} had [packed|filled|besieged] the [public gallery|chamber|corridors].",
        "A [long|bitter|noisy] [quarrel|argument|campaign] over {plan} in {town} [took a(n) {good} turn|came to a head] {when} when {ayes} [members|councillors] of {council} [lined up behind|voted for] the {cost} [scheme|project].",
        "{council} will [borrow|spend|set aside] {cost} for {plan}, [despite|in the face of] [warnings|pleas|objections] from {people} [living near|who work on] {site}.",
        "After {period} of [talks|drafts|false starts], {town} is to have {plan}: {council} [gave|granted] its [consent|blessing] {when}, {ayes} to {noes}.",
        "[Opponents|Critics] of {plan} [planned|proposed] for {site} have been [beaten|outvoted|left {feel}] at a [stormy|tense|crowded] meeting of {council} {when}.",
    ],
    turns: &[
        &[
            "The [scheme|proposal], [drawn up|prepared] by [officers|consultants|architects] over {period}, [covers|takes in] {#3-40} [acres|hectares|plots] between {site} and {street}.",
            "[Under|According to] the [terms|papers] [agreed|tabled] {when}, [work|digging|building] would [begin|start] {soon} and [last|take] {period}.",
            "It [replaces|succeeds] a(n) {large} [blueprint|design] that was [shelved|torn up|abandoned] in {month} after its [price|cost] had [doubled|risen by {share}].",
            "{share} of the [money|sum] is to come from [reserves|a(n) {small} levy|the sale of land near {street}|central government], the [rest|remainder] from [loans|developers|a lottery grant].",
            "[Drawings|Sketches|Models] shown at {place} [reveal|depict] [brick|timber|glass|limestone] [walls|arches|terraces] and [room|space] for {#40-900} [visitors|cars|bicycles|seats].",
            "[Council tax|Business rates|Parking charges] may [rise|go up] by £{#3-48} a year [to cover|to make up for] the [shortfall|interest], [officials|the treasurer] conceded.",
        ],
        &[
            "{p1}, the [leader|deputy leader|mayor|chair of planning], [called|described] the [vote|outcome] [as|] “a(n) {good} [day|step] for {people}” and [thanked|praised] {few} [colleagues|officers] who had [worked|stayed] [late|through {month}].",
            "[Opening|Closing] the debate, {p1s} [reminded|assured] [members|the chamber] that {town} had [lost|closed] {few} [youth clubs|bus routes|playgrounds|surgeries] in {period}.",
            "{p1s} [rejected|brushed aside] [talk|claims] of a(n) {bad} [gamble|deal], [pointing to|citing] {townname}, where {plan} [paid for itself|drew {share} more visitors] within {period}.",
            "“{remark},” {spoke} {p1}, who [represents|was elected for] the {streethead} ward.",
            "[Behind the scenes|In private], {p1s} is [said|understood] to have [won over|persuaded] {few} [waverers|rebels] with a [promise|pledge] to [cap|review] [spending|the costs] {soon}.",
        ],
        &[
            "{p2}, who leads the [opposition|independents|residents’ group], [warned|predicted] that the [bill|figure] would [reach|pass] {sum} [before|long before] a [single|first] [brick|stone|pipe] was [laid|in place].",
            "[An amendment|A motion] by {p2s} to [postpone|halve|move] the [project|spending] was [lost|thrown out], {noes} to {ayes}, [amid|to] [groans|shouts|laughter] from the [gallery|back benches].",
            "{p2s} had [asked|demanded] that {people} be [consulted|polled] [again|first], [since|because] the [last|previous] survey [reached|heard from] only {#110-940} [households|homes].",
            "[Traffic|Noise|Drainage|Shade] is the [chief|main] [worry|complaint]: {p2s} [counted|recorded] {#210-2900} [lorries|vans|cars] on {site} in [one|a single] [day|afternoon].",
            "“{remark},” {p2} [told|warned] the [meeting|chamber], [waving|holding up] a [petition|folder] with {#1200-9800} [names|signatures].",
        ],
        &[
            "{p3}, [secretary|chair|treasurer] of the {streethead} [Residents’ Association|Traders’ Forum|Civic Society], said [members|the group] would [study|challenge|read] the [decision|minutes] [line by line|with a lawyer].",
            "{people} [gathered|stood] outside {place} with [banners|whistles|umbrellas] [from|until] {#4-9}pm, [some|many] of them {feel} about the [loss|fate] of {few} [lime trees|garages|allotments|market stalls].",
            "A [planning|heritage|flood] [officer|inspector] [advised|recommended] {few} [conditions|changes], [among them|including] [quieter|narrower|greener] [access|frontage] from {street} and a limit of {#2-6} [storeys|floors].",
            "[Shopkeepers|Publicans|Stallholders] on {street} [fear|expect] {period} of [dust|detours|lost trade], and {share} of them want [compensation|rent relief].",
            "Trade [unions|representatives] [welcomed|greeted] the [prospect|promise] of {#30-600} [jobs|posts|apprenticeships], though [only|at best] {share} would be [permanent|full-time].",
        ],
        &[
            "The [file|matter] now [goes|passes] to the [planning inspectorate|county treasurer|regional assembly], which has [until|up to] {#2-28} {month} to [object|reply].",
            "Tenders [worth|totalling] {sum} will be [invited|advertised] {soon}, and {few} [builders|firms] from {townname} have [shown interest|asked for the papers].",
            "[Should|If] [costs|prices] [climb|move] by more than {share}, the [scheme|contract] must [return|come back] to the [full council|chamber] for a [second|fresh] vote.",
            "[Surveyors|Archaeologists|Ecologists] will [first|then] spend {period} on the [ground|site], where [Roman tiles|newts|old mine shafts|bats] were [found|reported] in {month}.",
            "{council} [meets|sits] again {soon}, with [parking|bin collections|school places|the {streethead} ward by-election] [high|next] on the [agenda|list].",
        ],
    ],
};
