//! Courts: cases, verdicts, and what was said on both sides.

use super::Subject;

pub(super) const COURTS: Subject = Subject {
    section: "courts",
    cast: &[
        (
            "court",
            "{town} [Crown Court|magistrates’ court|county court|employment tribunal]",
        ),
        (
            "matter",
            "[a stolen violin|forged paintings|a boundary hedge|missing church silver|fake antiques|a sunken yacht|a disputed will|poached trout|a copied recipe|unpaid overtime|a racing pigeon|counterfeit stamps|a felled oak|smuggled eels|a rigged raffle|a borrowed tractor]",
        ),
        ("accused", "{first} {last}"),
        ("age", "{#24-77}"),
        ("amount", "£{#11-480},{#100-999}"),
        ("judge", "Judge {last}"),
    ],
    headlines: &[
        "{p1s} [cleared|convicted|fined {amount}] in case of {matter}",
        "{town} {job} [denies|admits] [role|part] in [affair|case] of {matter}",
        "{judge}: [affair|case] of {matter} was “{bad}”",
        "Jury [out|sworn in|discharged] in {amount} trial over {matter}",
        "{matter}: how a {town} [quarrel|hobby|favour] [ended|landed] in court",
    ],
    leads: &[
        "{p1}, {age}, a(n) {job} [from|of] {town}, was [cleared|convicted|found guilty] {when} at {court} in a case [about|that turned on] {matter} [worth|valued at] {amount}.",
        "[Jurors|The bench|A panel] at {court} [took|needed] {#2-19} hours {when} to [decide|settle] the [long-running|curious|tangled] case of {p1}, {age}, and {matter}.",
        "a(n) {job} [accused|suspected] of [dishonesty|deceit|trespass] over {matter} [wept|smiled|stood silent] {when} as {judge} [ended|adjourned|summed up] a {#3-28}-day [trial|hearing] at {court}.",
        "{p1}, {age}, of {street}, {town}, must [pay|repay|find] {amount} [after|now that] {court} [ruled|decided] {when} in the [matter|affair] of {matter}.",
        "What [started|began] as a [favour|chat|bet] between [neighbours|friends|cousins] in {town} [ended|finished] {when} at {court}, with {matter} [as|at] the [centre|heart] of [it all|the case].",
    ],
    turns: &[
        &[
            "The [court|jury] [heard|was told] that {p1s} [met|first met] [the owner|the complainant|{first} {last}] at {place} in {month} and [offered|agreed] to [store|sell|repair|deliver] [goods|items] [for|worth] {amount}.",
            "[Prosecutors|Counsel for the claimant] [said|alleged] that [between|from] {month} and {month} [messages|invoices|keys|photographs] [passed|went] [to and fro|back and forth] {#20-400} times, {share} of them [deleted|at night|in code].",
            "[Police|Bailiffs|Inspectors] [called|arrived] at {street} {when} and [found|seized] {few} [crates|ledgers|telephones|paint pots], [a lock-up key|a diary|a wig] and {amount} in [cash|stamps|old notes].",
            "It was [common ground|not disputed] that {matter} had [vanished|changed hands|been moved] [between|after] [dusk|the fair|a wedding] and {#4-9}am, [while|as] {people} [slept|danced|were at {place}].",
            "[CCTV|A dashboard camera|A doorbell] [showed|caught] a [figure|van|bicycle] [near|outside] {place} at {#1-11}.{#10-59}pm, [though|but] the [face|number plate] was [blurred|hidden|in shadow].",
        ],
        &[
            "{p2}, [prosecuting|for the claimant], called the [conduct|account] “{bad} and, [frankly|in a word], greedy” and [asked|invited] [jurors|the court] to [weigh|look at] the [dates|handwriting|bank slips].",
            "“{remark},” {p2s} [told|put it to] the [jury|bench], [holding|tapping] a [bundle|ledger] of {#110-990} pages.",
            "[An expert|A valuer|A locksmith|A botanist], {first} {last}, [gave|offered] evidence for {spell} and [dated|priced] the [item|damage] at [no more than|at least] {amount}.",
            "[Under|In] cross-examination the [witness|owner], {first} {last}, [conceded|denied] having [insured|lent|painted over] [it|part of it] {period} [earlier|before].",
        ],
        &[
            "{p3}, [defending|for the defence], said {p1s} was “a(n) {good} [neighbour|parent|worker] who [trusted|believed] the wrong [friend|paper]” and had [no|never had a] [record|debt].",
            "[Giving|In] evidence, {p1s} [insisted|maintained] that [nothing|no rule] had been [hidden|broken]: “{remark}.”",
            "{p3s} [told|reminded] the court of {few} [letters|references] from [employers|a vicar|a football club|a lodger], and of [ill health|a lost job|a sick parent] [since|in] {month}.",
            "The [defence|respondent] [argued|submitted] that the [contract|map|receipt] was [unsigned|out of date|ambiguous], and that {share} of the [sum|goods] had [already|long] been [returned|paid].",
            "[Twice|Once] the [hearing|trial] was [halted|stopped], [first|] when a juror [fell ill|knew a witness] and [again|then] when [papers|a box] [turned up|came to light] at {place}.",
        ],
        &[
            "[Sentencing|Ruling|In a reserved judgment], {judge} said: “{remark}.”",
            "{judge} [found|held] that [both sides|neither witness] had been [wholly|entirely] [candid|reliable], and [ordered|directed] that [costs|fees] of {amount} be [shared|paid within {period}].",
            "[Taking|Having taken] [age|remorse|a late plea] into account, {judge} [passed|imposed] [a suspended term of {#3-22} months|{#80-240} hours of unpaid work|a fine of {amount}|a conditional discharge].",
            "There were [gasps|murmurs|cheers] from the [gallery|public seats] as the [foreman|clerk] [spoke|read out the verdict], [by|with] a majority of [ten to two|eleven to one].",
            "{judge} [praised|thanked] [the jury|{few} officers|the clerk] for [patience|care] in a case that had [cost|run up] {sum} and [filled|taken] {#12-90} [files|boxes].",
        ],
        &[
            "[Outside|On the steps], {p1s} [said|would say] only that {remark}. [Friends|Relatives] [hugged|drove off|wept].",
            "[Detective|Trading standards officer|Inspector] {first} {last} said the [case|outcome] should [warn|remind] {people} that {remark}.",
            "An appeal [must|has to] be [lodged|filed] {soon}; {p3s} [is considering|has ruled out] one.",
            "The [goods|exhibits] [remain|stay] [in storage|under lock and key|at a museum] in {townname} until the [owners|lawyers|insurers] [agree|settle].",
            "A [second|separate] [defendant|claim], [involving|against] {accused}, [comes|returns] before {court} {soon}.",
        ],
    ],
};
