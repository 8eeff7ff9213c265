//! A host of FMI 3.0 on top of the crate fmi-rs (Dassault Systèmes): makes steps, and prints arrays.
//!
//!     fmi_rs_host robot.fmu STEPS STEP_SIZE set:REFERENCE=1,2,3 get:REFERENCE:SIZE …

use fmi_rs::fmi3::builder::FMU3Builder;
use fmi_rs::fmi3::types::fmi3Status;

fn check(status: fmi3Status, what: &str) {
    if status != fmi3Status::Ok {
        eprintln!("{what}: {status:?}");
        std::process::exit(1);
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let path = std::path::PathBuf::from(&arguments[1]);
    let steps: u32 = arguments[2].parse().unwrap();
    let size: f64 = arguments[3].parse().unwrap();
    let fmu = FMU3Builder::new(&path).unwrap().instantiate_cs("robot").unwrap();
    check(fmu.enterInitializationMode(None, 0.0, None), "enterInitializationMode");
    check(fmu.exitInitializationMode(), "exitInitializationMode");
    for wish in arguments.iter().filter_map(|a| a.strip_prefix("set:")) {
        let (reference, numbers) = wish.split_once('=').unwrap();
        let values: Vec<f64> = numbers.split(',').map(|n| n.parse().unwrap()).collect();
        check(fmu.setFloat64(&[reference.parse().unwrap()], &values), "setFloat64");
    }
    let (mut event, mut terminate, mut early, mut last) = (false, false, false, 0.0);
    for k in 0..steps {
        let now = f64::from(k) * size;
        check(fmu.doStep(now, size, true, &mut event, &mut terminate, &mut early, &mut last), "doStep");
    }
    for wish in arguments.iter().filter_map(|a| a.strip_prefix("get:")) {
        let (reference, count) = wish.split_once(':').unwrap();
        let mut values = vec![0.0; count.parse().unwrap()];
        check(fmu.getFloat64(&[reference.parse().unwrap()], &mut values), "getFloat64");
        println!("{values:?}");
    }
    check(fmu.terminate(), "terminate");
}
