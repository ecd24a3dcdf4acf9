//! Pages in any language compare as well as English ones.

use super::Folder;

/// In each language a story, another ending for it, and another story.
const STORIES: &[(&str, &str, &str, &str, &str)] = &[
    (
        "chinese",
        "市议会星期一晚上批准在河上修建一座新桥，辩论持续了四个多小时，许多愤怒的居民到场，他们担心车流会破坏老港口后面安静的街道，市长答应在工程开始之前再听取一次意见",
        "，并公布全部的计划。",
        "，并公开所有的计划。",
        "气象台说，一场风速达到每小时一百五十公里的暴风雨预计明天早晨到达西海岸，住在海边的人们应当留在家里，直到警报解除为止，渡轮和火车已经停开，学校也将关闭两天。",
    ),
    (
        "japanese",
        "市議会は月曜日の夜、川に新しい橋を架ける計画を承認した。討論は四時間以上続き、古い港の裏の静かな通りが車でいっぱいになることを心配する住民が大勢集まった。市長は工事が始まる前にもう一度意見を聞くと約束した",
        "と発表している。",
        "と話している。",
        "気象庁によると、時速百五十キロの風を伴う嵐が明日の朝には西の海岸に達する見込みで、海の近くに住む人々は警報が解除されるまで家にいるように求められている。フェリーと電車はすでに運休している。",
    ),
    (
        "thai",
        "สภาเมืองอนุมัติให้สร้างสะพานใหม่ข้ามแม่น้ำเมื่อคืนวันจันทร์ หลังจากการอภิปรายที่กินเวลานานกว่าสี่ชั่วโมง มีชาวบ้านจำนวนมากมาร่วมฟัง พวกเขากลัวว่ารถยนต์จะทำลายความเงียบของถนนหลังท่าเรือเก่า นายกเทศมนตรีสัญญาว่าจะรับฟังความคิดเห็นอีกครั้งก่อนเริ่มงาน",
        "ในเดือนหน้า",
        "ในปีหน้า",
        "กรมอุตุนิยมวิทยาแจ้งว่าพายุที่มีลมแรงถึงหนึ่งร้อยห้าสิบกิโลเมตรต่อชั่วโมงจะถึงชายฝั่งตะวันตกในเช้าวันพรุ่งนี้ ผู้ที่อาศัยอยู่ใกล้ทะเลควรอยู่ในบ้านจนกว่าจะมีการยกเลิกคำเตือน เรือและรถไฟหยุดให้บริการแล้ว",
    ),
    (
        "russian",
        "Городской совет в понедельник вечером одобрил строительство нового моста через реку после спора, который длился больше четырёх часов и собрал толпу недовольных жителей, опасающихся, что машины погубят тихие улицы за старой гаванью, и мэр обещал ещё раз выслушать всех до начала",
        "работ",
        "стройки",
        "Буря с ветром до ста пятидесяти километров в час дойдёт до западного побережья завтра утром, и людям, которые живут у моря, советуют оставаться дома до отмены предупреждения, а паромы и поезда уже стоят, и школы будут закрыты два дня",
    ),
    (
        "arabic",
        "وافق مجلس المدينة مساء يوم الاثنين على بناء جسر جديد فوق النهر بعد نقاش استمر أكثر من أربع ساعات وحضره عدد كبير من السكان الغاضبين الذين يخشون أن تفسد حركة السيارات الشوارع الهادئة خلف الميناء القديم ووعد رئيس البلدية بالاستماع إليهم مرة أخرى قبل بدء",
        "العمل",
        "البناء",
        "من المتوقع أن تصل عاصفة تبلغ سرعة رياحها مئة وخمسين كيلومترا في الساعة إلى الساحل الغربي صباح الغد وطلب من الذين يعيشون قرب البحر البقاء في بيوتهم حتى رفع التحذير وقد توقفت العبارات والقطارات وستغلق المدارس يومين",
    ),
    (
        "hindi",
        "नगर परिषद ने सोमवार की शाम नदी पर एक नया पुल बनाने की मंज़ूरी दे दी और यह बहस चार घंटे से ज़्यादा चली जिसमें बहुत से नाराज़ निवासी आए थे जिन्हें डर है कि गाड़ियाँ पुराने बंदरगाह के पीछे की शांत गलियों को बरबाद कर देंगी और महापौर ने एक बार फिर सबकी बात सुनने का वादा",
        "किया",
        "दोहराया",
        "मौसम विभाग का कहना है कि डेढ़ सौ किलोमीटर प्रति घंटे की हवा वाला तूफ़ान कल सुबह तक पश्चिमी तट पर पहुँचेगा और समुद्र के पास रहने वाले लोगों से चेतावनी हटने तक घर में रहने को कहा गया है जबकि नावें और रेलगाड़ियाँ पहले ही रोक दी गई हैं",
    ),
];

fn page(text: &str) -> String {
    format!("<!doctype html><meta charset=utf-8><title>x</title><p>{text}</p>")
}

#[test]
fn near_duplicates_are_found_in_every_language() {
    let folder = Folder::new();
    for (language, story, ending, other_ending, other) in STORIES {
        folder.add(
            &format!("{language}/a.html"),
            page(&format!("{story} {ending}")),
        );
        folder.add(&format!("{language}/b.html"), page(other));
        folder.add(
            &format!("{language}/c.html"),
            page(&format!("{story} {other_ending}")),
        );
        for method in ["shingles", "minhash --threshold 0.7"] {
            let line = format!("pairs {language} -q --method {method}");
            let text = folder.run(&line).ok().text().to_owned();
            let pair =
                format!("{{\"a\":\"{language}/a.html\",\"b\":\"{language}/c.html\",\"score\":0.");
            assert!(text.starts_with(&pair), "{line}: {text}");
            assert_eq!(text.lines().count(), 1, "{line}: {text}");
        }
    }
    // All of them together are still only those pairs.
    let all: Vec<&str> = STORIES.iter().map(|story| story.0).collect();
    let ran = folder.run(&format!("pairs {} -q", all.join(" "))).ok();
    assert_eq!(ran.text().lines().count(), STORIES.len(), "{ran:?}");
}

/// Hindi has no lists of its own; Nepali, its neighbour, has.
#[test]
fn spots_are_found_in_every_language() {
    let folder = Folder::new();
    for (language, story, ending, other_ending, other) in STORIES {
        for (name, text) in [
            ("a", format!("{story} {ending}")),
            ("b", (*other).to_owned()),
            ("c", format!("{story} {other_ending}")),
        ] {
            folder.add(&format!("{language}/{name}.html"), page(&text));
        }
        let ran = folder
            .run(&format!("pairs {language} --method spotsigs"))
            .ok();
        let pair = format!("{{\"a\":\"{language}/a.html\",\"b\":\"{language}/c.html\",");
        assert!(ran.text().starts_with(&pair), "{ran:?}");
        assert_eq!(ran.text().lines().count(), 1, "{ran:?}");
        assert!(!ran.err.contains("too few spots"), "{ran:?}");
    }
}

#[test]
fn different_stories_of_one_language_are_far_apart() {
    let folder = Folder::new();
    for (language, story, ending, _, other) in STORIES {
        folder.add(
            &format!("{language}/a.html"),
            page(&format!("{story} {ending}")),
        );
        folder.add(&format!("{language}/b.html"), page(other));
        let ran = folder
            .run(&format!("pairs {language} -q --threshold 0.1"))
            .ok();
        assert_eq!(ran.text(), "", "{language}");
    }
}
