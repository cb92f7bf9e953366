import Darwin

func emptyInfo() -> stat { stat() }
